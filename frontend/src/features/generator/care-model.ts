import { COUNTRIES, OTHER } from "@/copy/care";
import type { ReasonName } from "@/data/errors";

/** The reason by which the server says that a title needs a person's care rather than a meditation. */
const NEEDS_CARE: ReasonName = "TITLE_NEEDS_CARE";

export const needsCare = (trouble: { reason: string } | null): boolean => trouble?.reason === NEEDS_CARE;

function regionOf(language: string): string {
  try {
    return new Intl.Locale(language).region ?? "";
  } catch {
    return "";
  }
}

/** Countries that a time zone names. Those of America share zones, so that only the language tells them apart. */
function countryOfZone(timeZone: string): string | undefined {
  if (timeZone.startsWith("Australia/")) return "AU";
  return {
    "Europe/London": "GB",
    "Europe/Belfast": "GB",
    "Europe/Dublin": "IE",
    "Pacific/Auckland": "NZ",
    "Pacific/Chatham": "NZ",
  }[timeZone];
}

/**
 * The key of COUNTRIES where a browser seems to be. Its time zone comes first: many browsers in the United Kingdom
 * speak American English. Else the first language that names a country decides; the United Kingdom is the default.
 */
export function careCountry(timeZone: string, languages: readonly string[]): string {
  const zone = countryOfZone(timeZone);
  if (zone) return zone;
  const region = languages.map(regionOf).find((code) => code !== "");
  if (!region) return "GB";
  return region in COUNTRIES ? region : OTHER;
}

/** The index of the line being spoken at this moment of the recording, or spoken last; -1 before the first. */
export const spokenAt = (lines: readonly { startMs: bigint }[], ms: number): number =>
  lines.findLastIndex((line) => Number(line.startMs) <= ms);
