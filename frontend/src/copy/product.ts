/** The words of a thing that is sold by the piece, wherever it is shown. */
export const product = {
  pictureToFollow: "Picture to follow",
  quantityOf: (name: string) => `Quantity of ${name}`,
  fewer: (name: string) => `One fewer: ${name}`,
  more: (name: string) => `One more: ${name}`,
} as const;
