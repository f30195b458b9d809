import { renderToStaticMarkup } from "react-dom/server";
import { Brochure } from "./brochure";
import { BROCHURE_PATH, PROGRAMMES_TITLE } from "./content/careers";
import { FIRM } from "./content/firm";
import { AppIcon, LinkCard } from "./link-card";
import { CARDS } from "./public-pages";

type Asset = {
  /** Below public/. */
  file: string;
  title: string;
  /** The body of the document to render. */
  html: string;
  isDark: boolean;
  /** In pixels, of a picture. */
  size: { width: number; height: number };
};

const CARD_SIZE = { width: 1200, height: 630 };
/** For home screens and for clients that request /favicon.ico: they take no SVG. */
const ICON_SIZES = { "favicon.ico": 48, "apple-touch-icon.png": 180, "icon-192.png": 192, "icon-512.png": 512 };

/** What `npm run assets` renders in Chromium: the brochure, the preview images of links, and the icons. */
export function drawAssets(): Asset[] {
  const cards = Object.entries(CARDS).map(([name, card]) => ({
    file: `og-${name}.png`,
    title: card.title,
    html: renderToStaticMarkup(<LinkCard {...card} />),
    isDark: true,
    size: CARD_SIZE,
  }));
  const icons = Object.entries(ICON_SIZES).map(([file, pixels]) => ({
    file,
    title: FIRM.product,
    html: renderToStaticMarkup(<AppIcon />),
    isDark: true,
    size: { width: pixels, height: pixels },
  }));
  const brochure = {
    file: BROCHURE_PATH.slice(1),
    title: `${PROGRAMMES_TITLE} · ${FIRM.name}`,
    html: renderToStaticMarkup(<Brochure />),
    isDark: false,
    size: CARD_SIZE,
  };
  return [brochure, ...cards, ...icons];
}
