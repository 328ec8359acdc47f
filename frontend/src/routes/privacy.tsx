import { TextPage } from "@/features/text/TextPage";

export default function Privacy() {
  return <TextPage name="privacy" legal />;
}
