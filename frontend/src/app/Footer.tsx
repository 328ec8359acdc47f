import type { ReactNode } from "react";
import { footer } from "@/copy/footer";
import { shell } from "@/copy/shell";
import { useApp } from "@/lib/app";
import { now } from "@/lib/clock";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useSession } from "@/lib/session";
import { useSignInLink } from "@/lib/sign-in-link";
import type { ThemeChoice } from "@/lib/theme";
import { chooseTheme, useThemeChoice } from "@/lib/theme";
import { PhoneNumbers } from "@/ui/PhoneNumbers";
import { Segmented } from "@/ui/Choice";
import { hasJourney, mayOpen } from "./access";
import { PageLink } from "./PageLink";
import css from "./Footer.module.css";

const THEMES: { value: ThemeChoice; label: string }[] = [
  { value: "system", label: footer.theme.system },
  { value: "light", label: footer.theme.light },
  { value: "dark", label: footer.theme.dark },
];

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul className={css.list}>{children}</ul>
    </div>
  );
}

function To({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <PageLink to={to}>{children}</PageLink>
    </li>
  );
}

function Act({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <li>
      <button type="button" onClick={onClick}>
        {children}
      </button>
    </li>
  );
}

function Enter({ children }: { children: ReactNode }) {
  const link = useSignInLink();
  return (
    <li>
      <Link {...link} data-visitor="">
        {children}
      </Link>
    </li>
  );
}

/** A member's page: for visitors its name asks them to sign in. */
function ForMembers({ to, children }: { to: string; children: ReactNode }) {
  const { member } = useSession();
  return member ? <To to={to}>{children}</To> : <Enter>{children}</Enter>;
}

export default function Footer() {
  const session = useSession();
  const { signOut } = useApp();
  const theme = useThemeChoice();
  return (
    <footer className={css.footer}>
      <div className="wrap">
        <div className={css.top}>
          <div>
            <p className={css.word}>{shell.name}</p>
            <p className={css.tagline}>{shell.tagline}</p>
          </div>
          <div className={css.columns}>
            <Column title={footer.explore}>
              <To to={paths.home}>{shell.home}</To>
              <To to={paths.memberships}>{shell.memberships}</To>
              <To to={paths.generator}>{shell.generator}</To>
              <To to={paths.articles}>{shell.articles}</To>
              <To to={paths.timer}>{footer.timer}</To>
              <To to={paths.apparel}>{footer.apparel}</To>
            </Column>
            <Column title={footer.yours}>
              {mayOpen({ subscriber: "library" }, session) ? (
                <To to={paths.library}>{shell.library}</To>
              ) : null}
              {!session.member || hasJourney(session) ? (
                <ForMembers to={paths.journey}>{shell.journey}</ForMembers>
              ) : null}
              <ForMembers to={paths.members}>{shell.members}</ForMembers>
              {session.member ? (
                <Act onClick={() => void signOut()}>{footer.signOut}</Act>
              ) : (
                <Enter>{shell.signIn}</Enter>
              )}
            </Column>
            <Column title={shell.name}>
              <To to={paths.about}>{shell.about}</To>
              <To to={paths.contact}>{shell.contact}</To>
              <To to={paths.terms}>{footer.terms}</To>
              <To to={paths.privacy}>{footer.privacy}</To>
              <To to={paths.sitemap}>{footer.sitemap}</To>
              {mayOpen("admin", session) ? <To to={paths.admin}>{shell.admin}</To> : null}
            </Column>
          </div>
        </div>
        <div className={css.theme}>
          <Segmented
            label={footer.theme.label}
            options={THEMES}
            value={theme}
            onChange={chooseTheme}
            className={css.well}
          />
        </div>
        <div className={css.end}>
          <span>{footer.copyright(new Date(now()).getFullYear())}</span>
          <span>
            <PhoneNumbers>{footer.notMedical}</PhoneNumbers>
          </span>
        </div>
      </div>
    </footer>
  );
}
