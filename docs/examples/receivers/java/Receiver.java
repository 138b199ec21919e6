// A webhook receiver for Java 17 or later, without dependencies:
//   PORT=8080 VERIFY_TOKEN=… WEBHOOK_HMAC_SECRET=whsec_… java Receiver.java

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

public class Receiver {
    static final int MAX_BODY_BYTES = 4 * 1024 * 1024; // the largest delivery
    static final int TOLERANCE_SECONDS = 5 * 60;
    static final int REMEMBERED = 10_000;
    static final String PORT = System.getenv().getOrDefault("PORT", "8080");
    static final String VERIFY_TOKEN = System.getenv().getOrDefault("VERIFY_TOKEN", "");
    static final String SECRET = System.getenv().getOrDefault("WEBHOOK_HMAC_SECRET", "");
    static final String SIGNATURE = System.getenv().getOrDefault("SIGNATURE", "service");

    record Delivery(String id, String eventType, byte[] body) {}

    static final BlockingQueue<Delivery> waiting = new ArrayBlockingQueue<>(1_000);
    static final Set<String> seen = new HashSet<>();
    static final Queue<String> seenInOrder = new ArrayDeque<>();

    /**
     * Verifies X-Service-Signature-256 over the raw body. During a rotation the header has one signature per secret. It does
     * not cover the delivery id and the time, so a captured request can be replayed under another id.
     * SIGNATURE=standard prevents that.
     */
    static boolean hasServiceSignature(Headers headers, byte[] body) throws GeneralSecurityException {
        var expected = "sha256=" + HexFormat.of().formatHex(sum(SECRET.getBytes(UTF_8), body));
        var given = header(headers, "X-Service-Signature-256").split(",");
        return Arrays.stream(given).anyMatch(one -> isSame(one.strip(), expected));
    }

    /** Verifies webhook-signature (Standard Webhooks), which also covers the id and the time, so old requests are refused. */
    static boolean hasStandardSignature(Headers headers, byte[] body) throws GeneralSecurityException {
        var timestamp = header(headers, "webhook-timestamp");
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        var ageSeconds = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
        if (ageSeconds > TOLERANCE_SECONDS) return false;
        var key = Base64.getDecoder().decode(SECRET.replaceFirst("^whsec_", ""));
        var signed = header(headers, "webhook-id") + "." + timestamp + ".";
        var expected = "v1," + Base64.getEncoder().encodeToString(sum(key, signed.getBytes(UTF_8), body));
        var given = header(headers, "webhook-signature").split(" ");
        return Arrays.stream(given).anyMatch(one -> isSame(one, expected));
    }

    static byte[] sum(byte[] key, byte[]... parts) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (var part : parts) mac.update(part);
        return mac.doFinal();
    }

    static boolean isSame(String given, String expected) {
        return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
    }

    static String header(Headers headers, String name) {
        return Objects.requireNonNullElse(headers.getFirst(name), "");
    }

    static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
        return SIGNATURE.equals("standard") ? hasStandardSignature(headers, body) : hasServiceSignature(headers, body);
    }

    static int receive(HttpExchange exchange) throws IOException, GeneralSecurityException {
        var headers = exchange.getRequestHeaders();
        var body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) return 413;
        if (headers.containsKey("X-Service-Probe") && body.length == 0) return 204; // the unsigned probe: do nothing
        if (!isGenuine(headers, body)) return 401;

        // Equal to X-Service-Delivery-Id, but covered by webhook-signature.
        var id = header(headers, "webhook-id");
        return id.isEmpty() ? 400 : accept(new Delivery(id, header(headers, "X-Service-Event-Type"), body));
    }

    /**
     * Accepts a delivery once and returns the status. In production, insert the id (unique) and the body into your database
     * here, in one transaction. Then answer, and process the events from that table. This memory is lost on exit.
     */
    static synchronized int accept(Delivery delivery) {
        if (seen.contains(delivery.id())) return 200;
        if (!waiting.offer(delivery)) return 503; // it will be retried
        seen.add(delivery.id());
        seenInOrder.add(delivery.id());
        if (seen.size() > REMEMBERED) seen.remove(seenInOrder.remove());
        return 200;
    }

    /** Processes events, after the response. */
    static void work() {
        try {
            while (true) {
                var delivery = waiting.take();
                System.out.println(delivery.eventType() + " " + delivery.id() + " " + delivery.body().length + " bytes");
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    static boolean isRightProbe(HttpExchange exchange) {
        var mode = "";
        var token = "";
        for (var pair : Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "").split("&")) {
            if (pair.startsWith("hub.mode=")) mode = pair.substring("hub.mode=".length());
            if (pair.startsWith("hub.verify_token=")) token = pair.substring("hub.verify_token=".length());
        }
        return mode.equals("subscribe") && isSame(URLDecoder.decode(token, UTF_8), VERIFY_TOKEN);
    }

    static void serve(HttpExchange exchange) throws IOException {
        try {
            var isProbe = exchange.getRequestMethod().equals("GET") && isRightProbe(exchange);
            var status = switch (exchange.getRequestMethod()) {
                case "GET" -> isProbe ? 200 : 403;
                case "POST" -> receive(exchange);
                default -> 405;
            };
            var answer = (isProbe ? VERIFY_TOKEN : "").getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(status, isProbe ? answer.length : -1); // -1: no body
            if (isProbe) exchange.getResponseBody().write(answer);
        } catch (GeneralSecurityException noSuchAlgorithm) {
            throw new IllegalStateException(noSuchAlgorithm);
        } finally {
            exchange.close();
        }
    }

    static void refuseStart(String reason) {
        System.err.println("receiver: " + reason);
        System.exit(1);
    }

    public static void main(String[] arguments) throws IOException {
        if (VERIFY_TOKEN.isEmpty()) refuseStart("VERIFY_TOKEN is not set. `channels env` prints the values of a channel.");
        if (SECRET.isEmpty()) refuseStart("WEBHOOK_HMAC_SECRET is not set. `channels env` prints the values of a channel.");
        if (!Set.of("service", "standard").contains(SIGNATURE)) refuseStart("SIGNATURE must be service or standard.");
        System.setProperty("sun.net.httpserver.maxReqTime", "10"); // seconds
        var worker = new Thread(Receiver::work);
        worker.setDaemon(true);
        worker.start();
        var server = HttpServer.create(new InetSocketAddress(Integer.parseInt(PORT)), 0);
        server.createContext("/", Receiver::serve);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
        System.out.println("listening on " + PORT);
    }
}
