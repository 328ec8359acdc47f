/** The words of the page for every other address. */
export const notFound = {
  title: "Page Not Found",
  text: "The page you’re looking for doesn’t exist or has been moved.",
  go: "Go Home",
  or: "Or have a look at",
} as const;
