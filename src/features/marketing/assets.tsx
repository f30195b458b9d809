import { renderToStaticMarkup } from "react-dom/server";
import { Brochure } from "./brochure";
import { BROCHURE_PATH, PROGRAMMES_TITLE } from "./content/careers";
import { FIRM } from "./content/firm";
import { LinkCard } from "./link-card";
import { CARDS } from "./public-pages";

type Asset = {
  /** Below public/. */
  file: string;
  title: string;
  /** The body of the document to render. */
  html: string;
  isDark: boolean;
};

/** What `npm run assets` renders in Chromium: the brochure and the preview images of links. */
export function drawAssets(): Asset[] {
  const cards = Object.entries(CARDS).map(([name, card]) => ({
    file: `og-${name}.png`,
    title: card.title,
    html: renderToStaticMarkup(<LinkCard {...card} />),
    isDark: true,
  }));
  const brochure = {
    file: BROCHURE_PATH.slice(1),
    title: `${PROGRAMMES_TITLE} · ${FIRM.name}`,
    html: renderToStaticMarkup(<Brochure />),
    isDark: false,
  };
  return [brochure, ...cards];
}
