import { sharing as words } from "@/copy/sharing";
import { useInvite } from "@/data/invite";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { paths } from "@/lib/paths";
import { Dialog } from "@/ui/Dialog";
import { SharePanel } from "@/ui/share/SharePanel";
import css from "./ShareDialog.module.css";

/** The share panel of a meditation of the library: its address there, which its plan opens. */
export default function ShareDialog({ m, onClose }: { m: MeditationCard; onClose: () => void }) {
  const invite = useInvite();
  const url = window.location.origin + paths.inLibrary(m.title, m.immersive);
  return (
    <Dialog title={words.titleOf(m.title)} onClose={onClose}>
      <p className={css.text}>{words.library}</p>
      <SharePanel what={{ title: m.title, text: words.text(m.title), url }} invite={invite} />
    </Dialog>
  );
}
