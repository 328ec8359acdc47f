import { pages } from "@/copy/pages";
import { about } from "@/copy/prose";
import { ProsePage } from "@/features/prose/ProsePage";

export default function About() {
  return <ProsePage title={pages.about} prose={about} />;
}
