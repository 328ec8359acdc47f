import { useState } from "react";
import type { DefaultValues, Path } from "react-hook-form";
import { useForm, useWatch } from "react-hook-form";
import type { UserError } from "./errors";
import { LOST } from "./errors";
import { lostWords } from "./lost-words";

type Texts<Name extends string> = Record<Name, string>;

interface TextForm<Name extends string> {
  /** The answers it begins with, by the contract's names. */
  begin: Texts<Name>;
  /** What is wrong with an answer, before it is sent. */
  checks: Record<Name, (value: string) => string | undefined>;
  /** What is said where nothing was done, and where nobody knows. */
  failed: (why: string) => string;
  lost: string;
}

/** A field was left, for what has the focus now. */
interface Left {
  target: HTMLInputElement;
  relatedTarget?: EventTarget | null;
}

/** Whether what has the focus now is a button, other than the one inside the field. */
const isPress = (now: EventTarget | null | undefined, field: HTMLInputElement): boolean =>
  now instanceof HTMLButtonElement && !now.parentElement?.contains(field);

/** A field of the contract (snake case, as errors name it) in the form's spelling. */
const inForm = (field: string): string => field.replaceAll(/_([a-z])/g, (_, c: string) => c.toUpperCase());

/**
 * A form of a few texts. What is wrong with an answer is said at its field once it is left, and so is what the server
 * refuses, in the server's words; whatever else went wrong is `trouble`.
 */
export function useTextForm<Name extends string>({ begin, checks, failed, lost }: TextForm<Name>) {
  const form = useForm<Texts<Name>>({ defaultValues: begin as DefaultValues<Texts<Name>> });
  const [trouble, setTrouble] = useState("");
  const values = useWatch({ control: form.control }) as Partial<Texts<Name>>;
  const faults = form.formState.errors as Partial<Record<Name, { message?: string }>>;

  const field = (name: Name) => {
    const path = name as unknown as Path<Texts<Name>>;
    return {
      ...form.register(path, {
        validate: (value) => checks[name](String(value)) ?? true,
        // An answer that was begun is looked at when it is left; an empty one only when the form is sent. Left by a press on
        // a button it waits for that: an error that comes between would move the button from under the press.
        onBlur: ({ target, relatedTarget }: Left) => {
          if (target.value && !isPress(relatedTarget, target)) void form.trigger(path);
        },
      }),
      required: true,
      error: faults[name]?.message,
    };
  };
  /** Shows what went wrong where it belongs. */
  const refuse = ({ field: about, message, code }: UserError): void => {
    const name = inForm(about);
    if (!(name in begin)) return setTrouble(LOST.has(code) ? lostWords(lost) : failed(message));
    form.setError(name as unknown as Path<Texts<Name>>, { message }, { shouldFocus: true });
  };
  /** `send` answers with what went wrong, or null. */
  const submit = (send: (answers: Texts<Name>) => Promise<UserError | null>) =>
    form.handleSubmit(async (answers) => {
      setTrouble("");
      const refused = await send(answers);
      if (refused) refuse(refused);
    });
  return { field, submit, trouble, values };
}
