import { pages } from "@/copy/pages";
import { contact, MAILBOX } from "@/copy/prose";
import { ProsePage } from "@/features/prose/ProsePage";
import { PhoneNumbers } from "@/ui/PhoneNumbers";

export default function Contact() {
  const prose = { lead: contact.lead, sections: [] };
  return (
    <ProsePage title={pages.contact} prose={prose}>
      <section>
        <h2>{contact.write}</h2>
        <p>
          <a href={`mailto:${MAILBOX}`}>{MAILBOX}</a>
        </p>
      </section>
      <section>
        <h2>{contact.help}</h2>
        <p>
          <PhoneNumbers>{contact.helpText}</PhoneNumbers>
        </p>
      </section>
    </ProsePage>
  );
}
