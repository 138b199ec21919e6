/** The name that customers see on pages and in emails. */
export const PRODUCT_NAME = 'Messaging channels';

interface ProductColors {
  readonly ground: string;
  readonly groundSide: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly textSoft: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly good: string;
  readonly goodGround: string;
  readonly warn: string;
  readonly warnGround: string;
  readonly bad: string;
  readonly neutralGround: string;
}

/** The colors of the dashboard (`dashboard/style/tokens.css`) for pages and emails, which can't load its style sheet. */
export const productColors: { readonly light: ProductColors; readonly dark: ProductColors } = {
  light: {
    ground: '#ffffff',
    groundSide: '#f6f7f9',
    line: '#e2e5eb',
    lineStrong: '#8a92a3',
    text: '#171b26',
    textSoft: '#535b6e',
    accent: '#3448c5',
    onAccent: '#ffffff',
    good: '#17683a',
    goodGround: '#e3f4e9',
    warn: '#7d4e00',
    warnGround: '#fdf0d5',
    bad: '#b3231f',
    neutralGround: '#eceef2',
  },
  dark: {
    ground: '#11141b',
    groundSide: '#0c0f15',
    line: '#272c38',
    lineStrong: '#737c90',
    text: '#e7e9ef',
    textSoft: '#a3abbc',
    accent: '#99a6ff',
    onAccent: '#0f1220',
    good: '#7fd6a0',
    goodGround: '#12301f',
    warn: '#f0bf6a',
    warnGround: '#372809',
    bad: '#ff9a94',
    neutralGround: '#272c38',
  },
};

export const SANS_FONTS =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif";
