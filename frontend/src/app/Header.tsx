import { useEffect, useRef, useState } from "react";
import { Link } from "@/lib/router";
import { shell } from "@/copy/shell";
import { paths } from "@/lib/paths";
import { useSession } from "@/lib/session";
import { useSignInLink } from "@/lib/sign-in-link";
import { useSiteSearch } from "@/lib/site-search";
import { ButtonLink, IconButton } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Logo } from "@/ui/Marks";
import type { NavItem } from "./access";
import { navItems } from "./access";
import { BasketLink } from "./BasketLink";
import { PageLink } from "./PageLink";
import { warmSearch } from "./warm";
import css from "./Header.module.css";

/** From here on the bar shows its hairline (px, from the specification). */
const SCROLLED_ABOVE = 10;

/** So many links leave room in the bar of a tablet; more than MANY need a wide screen. */
const FEW = 3;
const MANY = 6;

function useScrolled(): boolean {
  const [scrolled, set] = useState(false);
  useEffect(() => {
    const look = () => set(window.scrollY > SCROLLED_ABOVE);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  return scrolled;
}

function Count({ n }: { n: number }) {
  return (
    <>
      {" "}
      <span className={css.count}>
        <span aria-hidden="true">{n}</span>
        <span className="sr">{shell.journeyCount(n)}</span>
      </span>
    </>
  );
}

function Item({ item, onClick }: { item: NavItem; onClick?: () => void }) {
  return (
    <PageLink to={item.to} {...(onClick && { onClick })}>
      {item.label}
      {item.count === undefined ? null : <Count n={item.count} />}
    </PageLink>
  );
}

function SearchButton() {
  const { open } = useSiteSearch();
  return (
    <IconButton
      icon="search"
      label={shell.search}
      aria-haspopup="dialog"
      aria-keyshortcuts="/ Control+K Meta+K"
      onPointerEnter={warmSearch}
      onFocus={warmSearch}
      onClick={open}
    />
  );
}

/** The whole page as a menu, where the bar has no room for links. */
function Menu({ items }: { items: NavItem[] }) {
  const ref = useRef<HTMLDivElement>(null);
  const { member } = useSession();
  const close = () => ref.current?.hidePopover();
  const enter = useSignInLink();
  return (
    <div className={css.menu} id="menu" popover="auto" ref={ref}>
      <IconButton icon="close" label={shell.closeMenu} className={css.close} onClick={close} />
      <nav aria-label={shell.menu}>
        <div className={css.top}>
          <Link to={paths.home} aria-label={shell.homeLabel} onClick={close}>
            <Logo />
          </Link>
        </div>
        {items.map((item) => (
          <Item key={item.to} item={item} onClick={close} />
        ))}
        <PageLink to={paths.about} onClick={close}>
          {shell.about}
        </PageLink>
        <PageLink to={paths.contact} onClick={close}>
          {shell.contact}
        </PageLink>
        {member ? (
          <PageLink to={paths.members} onClick={close}>
            {shell.members}
          </PageLink>
        ) : (
          <Link
            to={enter.to}
            onClick={(event) => {
              close();
              enter.onClick(event);
            }}
          >
            {shell.signIn}
          </Link>
        )}
      </nav>
    </div>
  );
}

export function Header() {
  const session = useSession();
  const scrolled = useScrolled();
  const items = navItems(session);
  const enter = useSignInLink();
  return (
    <>
      <header
        className={classes(
          css.bar,
          scrolled && css.scrolled,
          items.length <= FEW && css.few,
          items.length > MANY && css.many,
        )}
      >
        <div className={classes("wrap", css.in)}>
          <Link className={css.home} to={paths.home} aria-label={shell.homeLabel}>
            <Logo />
          </Link>
          <nav className={css.links} aria-label={shell.main}>
            {items.map((item) => (
              <Item key={item.to} item={item} />
            ))}
          </nav>
          <div className={css.end}>
            {session.member ? <SearchButton /> : null}
            <BasketLink />
            {session.member ? (
              <PageLink className={css.me} to={paths.members}>
                {session.member.givenName || shell.members}
              </PageLink>
            ) : (
              <ButtonLink {...enter} small data-visitor="" className={css.enter}>
                {shell.signIn}
              </ButtonLink>
            )}
            <IconButton icon="menu" label={shell.menu} className={css.open} popoverTarget="menu" />
          </div>
        </div>
      </header>
      <Menu items={items} />
    </>
  );
}
