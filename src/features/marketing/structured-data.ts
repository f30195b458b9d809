import { PUBLIC_URL_MARK, type PublicPageName } from "@server/contract/paths";
import { CAREERS, CURRICULUM, PROGRAMMES } from "./content/careers";
import { FIRM, SERVICES } from "./content/firm";

/** Structured data for search engines (schema.org, JSON-LD): the firm and the courses. */
export function structuredData(name: PublicPageName): object | null {
  if (name === "index") return { "@context": "https://schema.org", ...organization() };
  if (name === "careers") return { "@context": "https://schema.org", "@graph": [organization(), ...courses()] };
  return null;
}

function organization() {
  return {
    "@type": "Organization",
    "@id": `${PUBLIC_URL_MARK}/#organization`,
    name: FIRM.name,
    url: `${PUBLIC_URL_MARK}/`,
    logo: `${PUBLIC_URL_MARK}/og-sangam.png`,
    email: FIRM.email,
    description: FIRM.line,
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer support",
      email: FIRM.email,
      availableLanguage: "en",
    },
    makesOffer: SERVICES.map(({ name }) => ({ "@type": "Offer", itemOffered: { "@type": "Service", name } })),
  };
}

function courses() {
  const training = PROGRAMMES.find(({ key }) => key === "training");
  return CURRICULUM.courses.map((course) => ({
    "@type": "Course",
    name: `${course.name}: ${CURRICULUM.classes}, ${course.projects}`,
    description: `${CAREERS.lead} ${course.topics.join(", ")}.`,
    url: `${PUBLIC_URL_MARK}/careers#curriculum`,
    provider: { "@id": `${PUBLIC_URL_MARK}/#organization` },
    offers: {
      "@type": "Offer",
      category: "Paid",
      price: training?.price.replace(/\D/g, ""),
      priceCurrency: "INR",
    },
    hasCourseInstance: { "@type": "CourseInstance", courseMode: "Onsite", location: FIRM.place },
  }));
}
