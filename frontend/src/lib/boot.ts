/** Who is signed in, as the shell needs it. Numbers and times are plain: credits are whole, times are ms since 1970. */
export interface Session {
  /** null for visitors. */
  member: Member | null;
  /** The server's clock when the session was read; 0 where it is not known. */
  serverTime: number;
  /** What a newcomer gets; null while billing cannot be asked. */
  trialOffer: TrialOffer | null;
  /** Names the versions of the texts that a person who agrees now agrees to; "" while the gateway does not know them, and then nothing can be agreed to. */
  termsVersion: string;
}

export interface TrialOffer {
  days: number;
  /** For those who come by an invite. */
  invitedDays: number;
  credits: number;
}

export interface Member {
  uid: string;
  givenName: string;
  familyName: string;
  email: string;
  /** null until the trial has started, moments after confirmation. */
  plan: Plan | null;
  credits: Credits;
  /** The number shown beside My Journey. */
  journeyCount: number;
  admin: boolean;
  /** Essentials or terms have not been agreed to yet: the member is asked. */
  consentsMissing: boolean;
  /** The member has agreed to be counted, under the texts as they are now. */
  analytics: boolean;
}

export interface Plan {
  id: string;
  name: string;
  /** ms since 1970; 0 for a plan without an end. */
  endsAt: number;
  active: boolean;
  /** The free trial; every other kind is paid. */
  trial: boolean;
  /** The next period is charged at `endsAt`. */
  renews: boolean;
  /** When everything closes, as the last payment has failed; ms since 1970, 0 where none has. */
  graceUntil: number;
  /** What holds now: generator, library, articles, journey, top_up. */
  entitlements: readonly string[];
}

export interface Credits {
  plan: number;
  topUp: number;
  /** Set aside for meditations being made; no longer counted in the other two. */
  held: number;
}

export const VISITOR: Session = { member: null, serverTime: 0, trialOffer: null, termsVersion: "" };

type Json = Record<string, unknown>;
const object = (v: unknown): Json | null =>
  typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Json) : null;
const text = (v: unknown): string => (typeof v === "string" ? v : "");
/** int64 stands as a string in protobuf JSON. */
const whole = (v: unknown): number => {
  const n = typeof v === "string" || typeof v === "number" ? Number(v) : 0;
  return Number.isFinite(n) ? Math.trunc(n) : 0;
};
const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
const time = (v: unknown): number => Date.parse(text(v)) || 0;

function parseCredits(v: unknown): Credits {
  const c = object(v) ?? {};
  return { plan: whole(c["plan"]), topUp: whole(c["topUp"]), held: whole(c["held"]) };
}

function parsePlan(v: unknown): Plan | null {
  const p = object(v);
  if (!p) return null;
  return {
    id: text(p["id"]),
    name: text(p["name"]),
    endsAt: time(p["endsAt"]),
    active: p["active"] === true,
    trial: p["kind"] === "PLAN_KIND_TRIAL",
    renews: p["renews"] === true,
    graceUntil: time(p["graceUntil"]),
    entitlements: list(p["entitlements"]).map(text),
  };
}

function parseOffer(v: unknown): TrialOffer | null {
  const o = object(v);
  if (!o) return null;
  return { days: whole(o["days"]), invitedDays: whole(o["invitedDays"]), credits: whole(o["credits"]) };
}

function parseMember(v: unknown): Member | null {
  const m = object(v);
  if (!m || !text(m["uid"])) return null;
  return {
    uid: text(m["uid"]),
    givenName: text(m["givenName"]),
    familyName: text(m["familyName"]),
    email: text(m["email"]),
    plan: parsePlan(m["plan"]),
    credits: parseCredits(m["credits"]),
    journeyCount: whole(m["journeyCount"]),
    admin: m["admin"] === true,
    consentsMissing: m["consentsMissing"] === true,
    analytics: m["analytics"] === true,
  };
}

/** Reads serein.web.v1.GetSessionResponse in protobuf's JSON. Anything else is a visitor; nothing here throws. */
export function parseSession(v: unknown): Session {
  const s = object(v);
  if (!s) return VISITOR;
  return {
    member: parseMember(s["member"]),
    serverTime: time(s["serverTime"]),
    trialOffer: parseOffer(s["trialOffer"]),
    termsVersion: text(s["termsVersion"]),
  };
}

/** The session the gateway wrote into the page. */
export function readBoot(source: string | null | undefined): Session {
  try {
    return parseSession(JSON.parse(source ?? "null"));
  } catch {
    return VISITOR;
  }
}
