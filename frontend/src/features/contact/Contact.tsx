import type { ReactNode } from "react";
import { contact as copy } from "@/copy/contact";
import { Art } from "@/ui/Art";
import { classes } from "@/ui/classes";
import type { IconName } from "@/ui/Icon";
import { Icon } from "@/ui/Icon";
import { PhoneNumbers } from "@/ui/PhoneNumbers";
import { QuickExit } from "@/ui/QuickExit";
import css from "./Contact.module.css";
import { ContactForm } from "./ContactForm";

const Hint = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <li>
    <Icon name={icon} />
    <span>{children}</span>
  </li>
);

/** How to reach a person, and whom to call instead when it cannot wait. */
export function Contact() {
  return (
    <div className={classes("wrap", css.page)}>
      <div className={css.words}>
        <h1>{copy.title}</h1>
        <p className="lead">{copy.lead}</p>
        <ul className={css.hints}>
          <Hint icon="alert">{copy.fault}</Hint>
          <Hint icon="card">{copy.payment}</Hint>
          <Hint icon="clock">{copy.workplace}</Hint>
          <Hint icon="heart">
            <PhoneNumbers>{copy.help}</PhoneNumbers>
          </Hint>
        </ul>
        <QuickExit />
        <Art scene="Mindfulness" seed="4" w={600} h={480} className={css.art} />
      </div>
      <div className={css.panel}>
        <ContactForm />
      </div>
    </div>
  );
}
