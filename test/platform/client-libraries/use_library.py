"""Uses a client library of the platform at the gateway as an application would, and prints what came back as JSON."""

import json
import os

import httpx
from pywa import WhatsApp, errors, handlers
from pywa.types.templates import BodyText, TemplateLanguage

given = json.loads(os.environ["GIVEN"])
gateway = httpx.URL(given["gatewayUrl"])


class GatewayTransport(httpx.HTTPTransport):
    """The library's address is fixed, so that the transport sends its requests to the gateway."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "graph.facebook.com":
            path = b"/platform" + request.url.raw_path
            request.url = gateway.copy_with(raw_path=path)
            request.headers["host"] = gateway.netloc.decode()
        return super().handle_request(request)


def client(token: str) -> WhatsApp:
    return WhatsApp(
        phone_id=given["numberId"],
        token=token,
        waba_id=given["businessId"],
        api_version=22.0,
        session=httpx.Client(transport=GatewayTransport()),
        server=None,
        verify_token="verify me",
        app_secret=given["hmacSecret"],
    )


def refusal(act) -> dict:
    try:
        act()
    except errors.WhatsAppError as error:
        shown = {"type": type(error).__name__, "status": error.status_code, "code": error.code}
        return {**shown, "message": error.message, "details": error.details, "trace": error.fbtrace_id}
    raise AssertionError("The call was not refused.")


wa = client(given["token"])
text = wa.send_message(to=given["customer"], text="Hello")
template = wa.send_template(
    to=given["customer"],
    name="order_ready",
    language=TemplateLanguage.ENGLISH_US,
    params=[BodyText.params("Kim", "A1")],
)
image = wa.send_image(to=given["customer"], image=bytes(range(64)), mime_type="image/png", caption="A picture")
media = wa.upload_media(media=b"Some text", mime_type="text/plain", filename="note.txt")
address = wa.get_media_url(media.id)
content = wa.get_media_bytes(address.url)
read = wa.mark_message_as_read(message_id="wamid.inbound")
typing = wa.indicate_typing(message_id="wamid.inbound")
updated = wa.update_business_profile(about="Fresh bread", websites=("https://bakery.example",))
profile = wa.get_business_profile()
number = wa.get_business_phone_number()
account = wa.get_business_account()
templates = wa.get_templates()

received = []
wa.add_handlers(handlers.MessageHandler(lambda _, message: received.append(message)))
body = given["delivery"]["body"].encode()
invalid = wa.webhook_update_validator(body, given["delivery"]["signature"])
forged = wa.webhook_update_validator(body + b" ", given["delivery"]["signature"])
handled = wa.webhook_update_handler(body)
challenge = wa.webhook_challenge_handler("verify me", "12345")

print(
    json.dumps(
        {
            "sent": [text.id, template.id, image.id],
            "media": {"address": address.url, "type": address.mime_type, "size": address.file_size},
            "content": content.decode(),
            "deleted": bool(wa.delete_media(media.id)),
            "acts": [bool(read), bool(typing), bool(updated)],
            "profile": {"about": profile.about, "websites": list(profile.websites or [])},
            "number": {"id": number.id, "name": number.verified_name, "quality": number.quality_rating},
            "account": {"id": account.id, "name": account.name},
            "templates": sorted({each.name for each in templates}),
            "received": [
                {"id": message.id, "from": message.from_user.wa_id, "text": message.text} for message in received
            ],
            "webhook": {"invalid": invalid, "forged": forged and forged[1], "handled": handled[1]},
            "challenge": list(challenge),
            "refusals": {
                "platform": refusal(lambda: wa.send_message(to=given["customer"], text="x" * 4097)),
                "token": refusal(lambda: client("hmat_" + "x" * 43).send_message(to=given["customer"], text="Hello")),
                "foreign": refusal(lambda: wa.get_media_url("999999999999")),
                "type": refusal(
                    lambda: wa.upload_media(media=b"x", mime_type="application/x-unknown", filename="x.bin")
                ),
            },
        }
    )
)
