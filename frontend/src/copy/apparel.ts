/** The words of the Apparel page that are not content. */
export const apparel = {
  loading: "Loading the apparel",
  add: "Add to basket",
  of: (act: string, name: string) => `${act}: ${name}`,
  sizes: "Size and quantity",
  inBasket: (n: number) => `${n} in basket`,
  size: (name: string, size: string) => `${name}, size ${size}`,
  soldOut: "Sold out",
  unavailable: "Not available at the moment",
  none: "Nothing in stock at the moment. Please check back soon.",
} as const;
