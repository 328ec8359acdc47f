/** The words of what is sold by the piece, wherever it is shown. */
export const product = {
  pictureToFollow: "Picture to follow",
  credits: "credits",
  quantityOf: (name: string) => `Quantity of ${name}`,
  fewer: (name: string) => `One fewer: ${name}`,
  more: (name: string) => `One more: ${name}`,
} as const;
