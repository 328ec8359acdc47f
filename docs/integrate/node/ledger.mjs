// Prints a member's ledger by Connect: node ledger.mjs UID
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { LedgerService } from "./gen/serein/billing/v1/billing_pb.js";

const { OIDC_ISSUER, CLIENT_ID, CLIENT_SECRET, BILLING_URL } = process.env;
const body = new URLSearchParams({ grant_type: "client_credentials", scope: "billing.ledger.read" });
const credentials = btoa(`${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`);
let token = { value: "", until: 0 };

// authorize gives each call the program's own token, and gets another shortly before it expires.
const authorize = (next) => async (call) => {
  if (Date.now() > token.until) {
    const headers = { Authorization: `Basic ${credentials}` };
    const answer = await fetch(`${OIDC_ISSUER}/oauth/token`, { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
    const given = await answer.json();
    token = { value: given.access_token, until: Date.now() + (given.expires_in - 30) * 1000 };
  }
  call.header.set("Authorization", `Bearer ${token.value}`);
  return next(call);
};

const transport = createConnectTransport({ baseUrl: BILLING_URL, interceptors: [authorize], defaultTimeoutMs: 10_000 });
const billing = createClient(LedgerService, transport);
for (let pageToken = "", more = true; more; more = pageToken !== "") {
  const page = await billing.listLedgerEntries({ uid: process.argv[2], pageSize: 100, pageToken });
  for (const e of page.entries) console.log([e.id, e.kind, e.change, e.balanceAfter, e.reference || e.description].join("\t"));
  pageToken = page.nextPageToken;
}
