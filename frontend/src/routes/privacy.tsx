import { pages } from "@/copy/pages";
import { privacy } from "@/copy/privacy";
import { ProsePage } from "@/features/prose/ProsePage";

export default function Privacy() {
  return <ProsePage title={pages.privacy} prose={privacy} />;
}
