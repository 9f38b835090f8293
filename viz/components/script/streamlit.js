// All that the scripts of the components know about the elements of Streamlit's own page. A new version of Streamlit may
// need other names here, and nowhere else.

/** The fields of a page's texts and of their names. */
export const TEXT_FIELDS = "textarea, .stTextInput input";
/** All fields that take typing. */
export const TYPING_FIELDS = ".stTextArea textarea, .stTextInput input, .stNumberInput input";
/** The column of the page's content, seen from an element in it. */
export const PAGE_OF = ".stMain > *";

/** @returns the app, whose data say whether it has a connection and whether the page runs */
export const app = () => /** @type {HTMLElement} */ (document.querySelector(".stApp"));

/** @returns whether the app waits for nothing */
export const isIdle = () => document.querySelector(".stApp[data-test-script-state=notRunning]") !== null;

/** @returns {HTMLElement | null} what scrolls the page */
export const pageScroller = () => document.querySelector(".stMain");
