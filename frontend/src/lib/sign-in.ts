import { remember } from "./storage";

/** The hosted sign-in: a popup where the browser allows one, else this tab. Call it in a click, or the popup is blocked. */

/** The channel on which the popup's callback page, and signing out, tell every open tab. */
export const SESSION_CHANNEL = "serein-session";

/** Only paths of this site may be returned to. */
const localPath = (path: string): string => (/^\/(?![/\\])/.test(path) ? path : "/");

/** Anyone with the address of a shared meditation can listen, so it must not be part of another address: servers and proxies log those. */
export const isSecretPath = (path: string): boolean => path.startsWith("/shared/");

interface SignInOptions {
  popup: boolean;
  loginHint?: string;
  returnTo: string;
  /** Of this browser, such as "Europe/London": its city names the device in the Members Area. */
  timeZone?: string;
}

export function signInUrl(options: SignInOptions): string {
  const query = new URLSearchParams();
  if (options.popup) query.set("popup", "1");
  if (options.loginHint) query.set("login_hint", options.loginHint);
  query.set("return_to", isSecretPath(options.returnTo) ? "/" : localPath(options.returnTo));
  if (options.timeZone) query.set("time_zone", options.timeZone);
  return `/auth/sign-in?${query.toString()}`;
}

/** Features of a popup in the middle of the window. */
function popupFeatures(): string {
  const width = 480;
  const height = Math.min(760, window.screen.availHeight);
  const left = window.screenX + Math.max(0, (window.outerWidth - width) / 2);
  const top = window.screenY + Math.max(0, (window.outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`;
}

/** Set while this tab is away to sign in without a popup; the page it comes back to greets. A secret path is what it comes back to. */
export const AWAY_KEY = "serein-signing-in";

/** Set where an account was confirmed in this tab, until its member is greeted. */
export const CONFIRMED_KEY = "serein-confirmed";

/** `returnTo`: where a sign-in in this tab leads back to; the popup leaves the page where it is. */
export function signIn(
  loginHint?: string,
  returnTo = window.location.pathname + window.location.search,
): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const told = { timeZone, returnTo, ...(loginHint && { loginHint }) };
  const popup = window.open(signInUrl({ popup: true, ...told }), "serein-sign-in", popupFeatures());
  if (popup) popup.focus();
  else {
    remember("sessionStorage", AWAY_KEY, isSecretPath(returnTo) ? returnTo : "yes");
    window.location.assign(signInUrl({ popup: false, ...told }));
  }
}
