import { pages } from "@/copy/pages";
import { terms } from "@/copy/terms";
import { ProsePage } from "@/features/prose/ProsePage";

export default function Terms() {
  return <ProsePage title={pages.terms} prose={terms} />;
}
