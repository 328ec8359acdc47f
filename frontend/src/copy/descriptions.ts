/** What search engines show of pages that have no such sentence of their own. They stand in the written pages alone. */
export const descriptions = {
  generator:
    "Say what the moment is like and choose a length and a voice; we’ll write and narrate a meditation for you in seconds.",
  signUp: "Create your Serein account and begin a free trial: no card, and nothing to cancel.",
  basket: "What you’ve chosen at Serein: memberships, credits and things to wear, before you pay.",
  checkout: "Pay for what is in your Serein basket by card, on a secure page. The receipt comes by email.",
  timer:
    "A meditation timer with bells of our own, and a breath pacer: free, and both go on with your screen locked.",
  confirm: "Confirm your Serein account with the code from our email.",
} as const;
