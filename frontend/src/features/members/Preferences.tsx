import { consents } from "@/copy/consents";
import { preferencesOpen } from "@/lib/account-panel";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import css from "./Preferences.module.css";

const words = consents.panel;

/** The way to what one has agreed to. */
export function Preferences() {
  return (
    <Panel title={words.title}>
      <p className={css.text}>{words.text}</p>
      <Button small wide onClick={() => preferencesOpen.set(true)}>
        {words.open}
      </Button>
    </Panel>
  );
}
