#!/bin/sh
# Gets an API key as an agent does that knows nothing but /auth.md, and acts with it.
#
# Runs against `npm start`, where the person's e-mail is in the local inbox: `sh docs/examples/agent-key.sh`. Needs
# curl. Against another installation the person types the code: leave MAIL_INBOX_URL empty.
set -eu

BASE_URL=${BASE_URL:-http://127.0.0.1:3000}
MAIL_INBOX_URL=${MAIL_INBOX_URL-http://127.0.0.1:3102}
EMAIL=${EMAIL:-agent-owner-$$@example.com}

say() { printf '%s\n' "$*" >&2; }
fail() { say "agent-key: $*"; exit 1; }
# The value of a field of flat JSON on standard input.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# POST of a JSON body; prints the answer's body.
post() { curl -sS -X POST "$1" -H 'Content-Type: application/json' --data "$2"; }
# Status of a GET with the key.
status_of() { curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $ACCESS_TOKEN" "$1"; }

say "1. A call without a key is refused, and says where to read on:"
METADATA_URL=$(curl -sS -D - -o /dev/null "$BASE_URL/platform/channels" | sed -n 's/.*resource_metadata="\([^"]*\)".*/\1/p')
[ -n "$METADATA_URL" ] || fail "the refusal names no metadata"
GUIDE_URL=$(curl -sS "$METADATA_URL" | field resource_documentation)
[ -n "$GUIDE_URL" ] || fail "$METADATA_URL names no documentation"
say "   $METADATA_URL -> $GUIDE_URL"

GUIDE=$(curl -sS "$GUIDE_URL")
CLAIM_URL=$(printf '%s\n' "$GUIDE" | sed -n 's/^POST \(.*\/claim\)$/\1/p')
COMPLETE_URL=$(printf '%s\n' "$GUIDE" | sed -n 's/^POST \(.*\/complete\)$/\1/p')
[ -n "$CLAIM_URL" ] && [ -n "$COMPLETE_URL" ] || fail "the guide names no addresses to claim at"

say "2. Claim, for $EMAIL: POST $CLAIM_URL"
CLAIM=$(post "$CLAIM_URL" "{\"email\": \"$EMAIL\", \"scopes\": [\"workspace.read\"]}")
REGISTRATION_ID=$(printf '%s' "$CLAIM" | field registrationId)
[ -n "$REGISTRATION_ID" ] || fail "no claim: $CLAIM"
say "   $REGISTRATION_ID"

if [ -n "$MAIL_INBOX_URL" ]; then
  say "3. The person reads the code in their mail: $MAIL_INBOX_URL"
  # In the JSON of the inbox the code stands on a line of its own in the text.
  OTP=$(curl -sS "$MAIL_INBOX_URL/messages?to=$EMAIL&waitMs=20000" | sed -n 's/.*\\n *\([0-9]\{6\}\)\\n.*/\1/p')
else
  printf '3. The code from the mail to %s: ' "$EMAIL" >&2
  read -r OTP
fi
[ -n "$OTP" ] || fail "no code came"

say "4. Complete: POST $COMPLETE_URL"
TOKEN=$(post "$COMPLETE_URL" "{\"registrationId\": \"$REGISTRATION_ID\", \"otp\": \"$OTP\"}")
ACCESS_TOKEN=$(printf '%s' "$TOKEN" | field accessToken)
ORGANIZATION_ID=$(printf '%s' "$TOKEN" | field organizationPublicId)
CREDENTIAL_ID=$(printf '%s' "$TOKEN" | field credentialId)
[ -n "$ACCESS_TOKEN" ] || fail "no key: $TOKEN"
say "   $CREDENTIAL_ID in $ORGANIZATION_ID"

say "5. Act within the scope:"
STATUS=$(status_of "$BASE_URL/organizations/$ORGANIZATION_ID/workspaces")
say "   GET /organizations/$ORGANIZATION_ID/workspaces -> $STATUS"
[ "$STATUS" = 200 ] || fail "the key does not open what it was given for"

say "6. Act outside of it:"
STATUS=$(status_of "$BASE_URL/agent/credentials")
say "   GET /agent/credentials -> $STATUS"
[ "$STATUS" = 403 ] || fail "the key opens more than it was given for"

say "7. Give the key up:"
STATUS=$(curl -sS -X DELETE -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $ACCESS_TOKEN" \
  "$BASE_URL/agent/credentials/$CREDENTIAL_ID")
[ "$STATUS" = 204 ] || fail "the key was not revoked: $STATUS"
STATUS=$(status_of "$BASE_URL/organizations/$ORGANIZATION_ID/workspaces")
say "   revoked; the same call as in 5 -> $STATUS"
[ "$STATUS" = 401 ] || fail "a revoked key still opens"
