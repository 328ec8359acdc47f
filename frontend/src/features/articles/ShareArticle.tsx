import { sharing as words } from "@/copy/sharing";
import { useInvite } from "@/data/invite";
import { paths } from "@/lib/paths";
import { SharePanel } from "@/ui/share/SharePanel";

/** The share panel of an article. It has its own chunk, because it is below the text. */
export default function ShareArticle({ slug, title }: { slug: string; title: string }) {
  const invite = useInvite();
  const url = window.location.origin + paths.article(slug);
  return <SharePanel what={{ title, text: words.text(title), url }} invite={invite} />;
}
