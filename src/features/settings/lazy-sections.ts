import { lazyPart } from "@/lib/lazy-part";

/** What Settings hold; `preloadSettings` fetches their code before anybody enters them. Apart from the page, whose own code comes with it. */
export const { Part: LazySections, preload: preloadSettings } = lazyPart(() =>
  import("./settings-sections").then((module) => module.SettingsSections),
);
