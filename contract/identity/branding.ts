export const colorPattern = /^#[0-9a-f]{6}$/i;

const LINEAR_BELOW = 0.04045;

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= LINEAR_BELOW ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns black or white, whichever is easier to read on the color. Its contrast is at least 4.58:1. */
export function textColorOn(color: string): '#000000' | '#ffffff' {
  const base = luminance(color) + 0.05;
  return base / 0.05 >= 1.05 / base ? '#000000' : '#ffffff';
}
