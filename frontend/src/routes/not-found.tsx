import { shell } from "@/copy/shell";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/States";

export default function NotFound() {
  const home = (
    <ButtonLink look="primary" to={paths.home}>
      {shell.notFound.go}
    </ButtonLink>
  );
  return (
    <Empty as="h1" title={shell.notFound.title} action={home}>
      {shell.notFound.text}
    </Empty>
  );
}
