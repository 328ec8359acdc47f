import { remember } from "@/lib/storage";

/** The sound beneath what is immersive in the library, kept for this tab: a visitor's too. */
export const LIBRARY_SOUND_KEY = "serein-library-sound";
export const NONE = "none";

/** `id` of the sound, or NONE. */
export const keepLibrarySound = (id: string): void => remember("sessionStorage", LIBRARY_SOUND_KEY, id);
