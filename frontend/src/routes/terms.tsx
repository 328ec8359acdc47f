import { TextPage } from "@/features/text/TextPage";

export default function Terms() {
  return <TextPage name="terms" legal />;
}
