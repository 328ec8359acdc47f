/** HTML that content has cleaned. The template has to be told so where the field's name does not say it. */
export const clean = (html: string): string => html;
