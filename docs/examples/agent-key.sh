#!/bin/sh
# Gets an API key like an agent that knows only /auth.md, and uses it. Needs curl.
#
# Run it against `npm start`, where the person's email is in the local inbox: `sh docs/examples/agent-key.sh`. For
# another installation, set MAIL_INBOX_URL to the empty string and type the code.
set -eu

BASE_URL=${BASE_URL:-http://127.0.0.1:3000}
MAIL_INBOX_URL=${MAIL_INBOX_URL-http://127.0.0.1:3102}
EMAIL=${EMAIL:-agent-owner-$$@example.com}

say() { printf '%s\n' "$*" >&2; }
fail() { say "agent-key: $*"; exit 1; }
# Prints the value of a field of flat JSON on standard input.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# POSTs a JSON body and prints the response body.
post() { curl -sS -X POST "$1" -H 'Content-Type: application/json' --data "$2"; }
# Prints the status of a GET with the key.
status_of() { curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $ACCESS_TOKEN" "$1"; }

say "1. A call without a key is refused; the answer links to the documentation:"
METADATA_URL=$(curl -sS -D - -o /dev/null "$BASE_URL/platform/channels" | sed -n 's/.*resource_metadata="\([^"]*\)".*/\1/p')
[ -n "$METADATA_URL" ] || fail "the 401 has no resource_metadata"
GUIDE_URL=$(curl -sS "$METADATA_URL" | field resource_documentation)
[ -n "$GUIDE_URL" ] || fail "$METADATA_URL has no resource_documentation"
say "   $METADATA_URL -> $GUIDE_URL"

GUIDE=$(curl -sS "$GUIDE_URL")
CLAIM_URL=$(printf '%s\n' "$GUIDE" | sed -n 's/^POST \(.*\/claim\)$/\1/p')
COMPLETE_URL=$(printf '%s\n' "$GUIDE" | sed -n 's/^POST \(.*\/complete\)$/\1/p')
[ -n "$CLAIM_URL" ] && [ -n "$COMPLETE_URL" ] || fail "$GUIDE_URL names no claim and complete addresses"

# Earlier codes for the same address don't count.
LAST_EMAIL=0
if [ -n "$MAIL_INBOX_URL" ]; then
  LAST_EMAIL=$(curl -sS "$MAIL_INBOX_URL/messages?to=$EMAIL" | sed -n 's/^{"messages":\[{"number":\([0-9]*\).*/\1/p')
fi

say "2. Claim a key for $EMAIL: POST $CLAIM_URL"
CLAIM=$(post "$CLAIM_URL" "{\"email\": \"$EMAIL\", \"scopes\": [\"workspace.read\"]}")
REGISTRATION_ID=$(printf '%s' "$CLAIM" | field registrationId)
[ -n "$REGISTRATION_ID" ] || fail "the claim failed: $CLAIM"
say "   $REGISTRATION_ID"

if [ -n "$MAIL_INBOX_URL" ]; then
  say "3. Read the code in the person's email: $MAIL_INBOX_URL"
  # The code is on its own line of the email's text.
  OTP=$(curl -sS "$MAIL_INBOX_URL/messages?to=$EMAIL&after=${LAST_EMAIL:-0}&waitMs=20000" | sed -n 's/.*\\n *\([0-9]\{6\}\)\\n.*/\1/p')
else
  printf '3. The code from the email to %s: ' "$EMAIL" >&2
  read -r OTP
fi
[ -n "$OTP" ] || fail "no code arrived"

say "4. Complete: POST $COMPLETE_URL"
TOKEN=$(post "$COMPLETE_URL" "{\"registrationId\": \"$REGISTRATION_ID\", \"otp\": \"$OTP\"}")
ACCESS_TOKEN=$(printf '%s' "$TOKEN" | field accessToken)
ORGANIZATION_ID=$(printf '%s' "$TOKEN" | field organizationPublicId)
CREDENTIAL_ID=$(printf '%s' "$TOKEN" | field credentialId)
[ -n "$ACCESS_TOKEN" ] || fail "completing failed: $TOKEN"
say "   $CREDENTIAL_ID in $ORGANIZATION_ID"

say "5. Make a call within the scope:"
STATUS=$(status_of "$BASE_URL/organizations/$ORGANIZATION_ID/workspaces")
say "   GET /organizations/$ORGANIZATION_ID/workspaces -> $STATUS"
[ "$STATUS" = 200 ] || fail "the key does not work within its scope"

say "6. Make a call outside the scope:"
STATUS=$(status_of "$BASE_URL/organizations/$ORGANIZATION_ID/onboarding-links")
say "   GET /organizations/$ORGANIZATION_ID/onboarding-links -> $STATUS"
[ "$STATUS" = 403 ] || fail "the key works outside its scope"

say "7. Revoke the key:"
STATUS=$(curl -sS -X DELETE -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $ACCESS_TOKEN" \
  "$BASE_URL/agent/credentials/$CREDENTIAL_ID")
[ "$STATUS" = 204 ] || fail "the key was not revoked: $STATUS"
STATUS=$(status_of "$BASE_URL/organizations/$ORGANIZATION_ID/workspaces")
say "   the call of step 5 again -> $STATUS"
[ "$STATUS" = 401 ] || fail "the revoked key still works"
