/** What the link to the basket says of it, once it is known. */
export const basketCount = (n: number) => (n === 0 ? ", empty" : `, ${n} ${n === 1 ? "item" : "items"}`);
