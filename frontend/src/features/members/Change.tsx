import { credentials as words } from "@/copy/credentials";
import { Button } from "@/ui/Button";

interface ChangeProps {
  /** What is changed, since "Change" stands there several times. */
  label: string;
  onClick: () => void;
}

/** Opens the dialog that changes what it stands beside. */
export function Change({ label, onClick }: ChangeProps) {
  return (
    <Button small aria-label={label} aria-haspopup="dialog" onClick={onClick}>
      {words.change}
    </Button>
  );
}
