/** This browser runs no service worker, in a private window for instance, so it can keep nothing. */
export class NoWorker extends Error {
  override name = "NoWorker";
}

/** Resolves once a worker has all of the app's files; rejects where it could not get them. */
const installed = (worker: ServiceWorker): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new TypeError("the app’s files could not be fetched"));
    };
    worker.addEventListener("statechange", look);
    look();
  });

/**
 * Has the app itself kept on this device, so that what is kept can be opened without a connection. With an older version of it there, that one
 * serves until the newer one is whole. Throws NoWorker, or TypeError where the line broke.
 */
export async function keepApp(): Promise<void> {
  if (!("serviceWorker" in navigator)) throw new NoWorker();
  const registration = await navigator.serviceWorker
    .register("/service-worker.js", { updateViaCache: "none" })
    .catch((cause: unknown) => {
      throw cause instanceof TypeError ? cause : new NoWorker();
    });
  const coming = registration.installing ?? registration.waiting;
  if (!registration.active && coming) await installed(coming);
}
