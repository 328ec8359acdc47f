import { privacy } from "./privacy";
import { terms } from "./terms";

/** The versions of the legal texts that this build shows. The build writes them into dist/pages.json for the gateway. */
export const TEXTS = { terms: terms.version, privacy: privacy.version } as const;

/** What somebody agrees to who accepts both. The gateway makes the same text and takes no other. */
export const TERMS_VERSION = `terms ${TEXTS.terms}, privacy ${TEXTS.privacy}`;
