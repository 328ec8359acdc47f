import { shell } from "@/copy/shell";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { Motif } from "@/ui/Marks";

export default function NotFound() {
  return (
    <div className="empty">
      <Motif />
      <h1 className="empty__title">{shell.notFound.title}</h1>
      <p>{shell.notFound.text}</p>
      <ButtonLink look="primary" to={paths.home}>
        {shell.notFound.go}
      </ButtonLink>
    </div>
  );
}
