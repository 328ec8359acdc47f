/** The numbers that our texts name. */
const NUMBERS = /(116 123|999)/;

/** A text whose telephone numbers can be pressed. */
export function PhoneNumbers({ children }: { children: string }) {
  return children.split(NUMBERS).map((part, i) =>
    // What was split by stands at the odd places.
    i % 2 === 1 ? (
      <a key={part + i} href={`tel:${part.replaceAll(" ", "")}`}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}
