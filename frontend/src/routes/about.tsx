import { TextPage } from "@/features/text/TextPage";

export default function About() {
  return <TextPage name="about" />;
}
