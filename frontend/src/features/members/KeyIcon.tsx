/** A decorative key. It is not among the shared icons, since those come with the app's first paint. */
export const KeyIcon = () => (
  <svg
    viewBox="0 0 20 20"
    width="20"
    height="20"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d="M10 13a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0m-1-2.5 7-7m-2.5 2.5L16 8.5m-4.5-.5 1.8 1.8" />
  </svg>
);
