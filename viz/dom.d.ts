/** All elements of our pages are of HTML, SVG or MathML, which have these in common. */
interface Element extends HTMLOrSVGElement, ElementCSSInlineStyle {}
