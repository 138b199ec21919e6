// A webhook receiver for Go 1.21 or later, without dependencies:
//
//	PORT=8080 VERIFY_TOKEN=… WEBHOOK_HMAC_SECRET=whsec_… go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxBodyBytes = 4 << 20 // the largest delivery
	tolerance    = 5 * time.Minute
	remembered   = 10_000
)

var (
	verifyToken = os.Getenv("VERIFY_TOKEN")
	secret      = os.Getenv("WEBHOOK_HMAC_SECRET")
	waiting     = make(chan delivery, 1_000)
	seen        = seenIDs{known: map[string]bool{}}
)

type delivery struct {
	id, eventType string
	body          []byte
}

// Verifies X-Service-Signature-256 over the raw body. During a rotation the header has one signature per secret. It does
// not cover the delivery id and the time, so a captured request can be replayed under another id.
// SIGNATURE=standard prevents that.
func hasServiceSignature(header http.Header, body []byte) bool {
	expected := "sha256=" + hex.EncodeToString(sum([]byte(secret), body))
	for _, given := range strings.Split(header.Get("X-Service-Signature-256"), ",") {
		if isSame(strings.TrimSpace(given), expected) {
			return true
		}
	}
	return false
}

// Verifies webhook-signature (Standard Webhooks), which also covers the id and the time, so old requests are refused.
func hasStandardSignature(header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	expected := "v1," + base64.StdEncoding.EncodeToString(sum(key, []byte(id+"."+timestamp+"."), body))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if isSame(given, expected) {
			return true
		}
	}
	return false
}

func sum(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

func isSame(given, expected string) bool {
	return hmac.Equal([]byte(given), []byte(expected))
}

var isGenuine = map[string]func(http.Header, []byte) bool{
	"": hasServiceSignature, "service": hasServiceSignature, "standard": hasStandardSignature,
}[os.Getenv("SIGNATURE")]

func probe(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if query.Get("hub.mode") != "subscribe" || !isSame(query.Get("hub.verify_token"), verifyToken) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, verifyToken)
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge) // or the sender has disconnected
		return
	}
	if r.Header.Get("X-Service-Probe") != "" && len(body) == 0 {
		w.WriteHeader(http.StatusNoContent) // the unsigned probe: answer it and do nothing
		return
	}
	if !isGenuine(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	// Equal to X-Service-Delivery-Id, but covered by webhook-signature.
	id := r.Header.Get("webhook-id")
	if id == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(accept(delivery{id, r.Header.Get("X-Service-Event-Type"), body}))
}

// The most recent delivery ids, oldest first.
type seenIDs struct {
	sync.Mutex
	known map[string]bool
	order []string
}

// Accepts a delivery once and returns the status. In production, insert the id (unique) and the body into your database
// here, in one transaction. Then answer, and process the events from that table. This memory is lost on exit.
func accept(one delivery) int {
	seen.Lock()
	defer seen.Unlock()
	if seen.known[one.id] {
		return http.StatusOK
	}
	select {
	case waiting <- one:
	default:
		return http.StatusServiceUnavailable // it will be retried
	}
	seen.known[one.id] = true
	seen.order = append(seen.order, one.id)
	if len(seen.order) > remembered {
		delete(seen.known, seen.order[0])
		seen.order = seen.order[1:]
	}
	return http.StatusOK
}

// Processes events, after the response.
func work() {
	for one := range waiting {
		fmt.Printf("%s %s %d bytes\n", one.eventType, one.id, len(one.body))
	}
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("receiver: ")
	for _, name := range []string{"VERIFY_TOKEN", "WEBHOOK_HMAC_SECRET"} {
		if os.Getenv(name) == "" {
			log.Fatal(name + " is not set. `channels env` prints the values of a channel.")
		}
	}
	if isGenuine == nil {
		log.Fatal("SIGNATURE must be service or standard.")
	}
	go work()
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", port)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			probe(w, r)
		case http.MethodPost:
			receive(w, r)
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
	server := http.Server{Handler: handler, ReadTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
