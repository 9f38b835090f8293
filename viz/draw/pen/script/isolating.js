// Words from right to left in sentences (`metrics.types.words`).

const BACKWARDS =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u0600-\u06ff]/u;

/** Words within invisible marks where some are written from right to left: numbers beside them keep their order.
 * @param {string | undefined} words */
export const isolated = (words) => (words && BACKWARDS.test(words) ? `\u2068${words}\u2069` : words);
