import { search as copy } from "@/copy/search";
import type { Match, Piece } from "@/gen/serein/web/v1/search_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { listeningOf } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Art } from "@/ui/Art";
import { Icon } from "@/ui/Icon";
import css from "./Results.module.css";

/** A text with what was looked for marked: pieces, never HTML. */
function Marked({ pieces }: { pieces: readonly Piece[] }) {
  // Pieces have no names, and never change their places.
  // oxlint-disable-next-line react/no-array-index-key
  return pieces.map(({ text, matched }, i) => (matched ? <mark key={i}>{text}</mark> : text));
}

const plain = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");

function facts({ item, category, immersive, audioSeconds }: Match): string {
  const minutes = listeningOf(audioSeconds);
  const length = item?.kind === ItemKind.ARTICLE ? copy.toHear(minutes) : copy.minutes(minutes);
  return [category?.name, immersive && copy.immersive, audioSeconds > 0 && length].filter(Boolean).join(", ");
}

/** The line below the title: where it was found in the text, or what there is to know of it. */
function About({ match, note }: { match: Match; note: string }) {
  if (note) return <span>{[match.category?.name, note].filter(Boolean).join(". ")}</span>;
  if (!match.excerpt.some(({ matched }) => matched)) return <span>{facts(match)}</span>;
  return (
    <span>
      {match.category ? `${match.category.name}. ` : ""}“<Marked pieces={match.excerpt} />”
    </span>
  );
}

/** Where it is read or heard; undefined for those whose plan does not lead there. */
function useAddress({ item, slug, title, immersive }: Match): string | undefined {
  const member = useMember();
  if (item?.kind === ItemKind.ARTICLE) return paths.article(slug);
  if (item?.kind === ItemKind.BESPOKE) return paths.listen(item.id);
  const mayOpen = member?.admin === true || member?.plan?.entitlements.includes("library") === true;
  return mayOpen ? paths.inLibrary(plain(title), immersive) : undefined;
}

/** Its editor's picture, or the print of its category. What it shows is said by the title beside it. */
function Picture({ match }: { match: Match }) {
  const { item, category, title, picture } = match;
  // A bespoke meditation is drawn from its title everywhere.
  const seed = item?.kind === ItemKind.BESPOKE ? plain(title) : (item?.id ?? "");
  if (picture?.url)
    return <img className={css.print} src={picture.url} alt="" width={64} height={64} loading="lazy" />;
  return <Art scene={category?.name ?? ""} seed={seed} w={128} h={128} className={css.print} />;
}

interface HitProps {
  match: Match;
  /** The page under the search, to which the player leads back. */
  under: string;
  onOpen: () => void;
}

/** One thing that was found, which leads to it, or to what opens it. */
export function Hit({ match, under, onOpen }: HitProps) {
  const to = useAddress(match);
  return (
    <Link
      className={css.hit}
      to={to ?? paths.memberships}
      state={{ from: under }}
      onClick={onOpen}
      data-stop=""
    >
      <Picture match={match} />
      <span className={css.words}>
        <b>
          <Marked pieces={match.title} />
        </b>
        <About match={match} note={to ? "" : copy.notIncluded} />
      </span>
      <Icon name={to ? "arrow" : "lock"} />
    </Link>
  );
}
