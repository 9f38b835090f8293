"""The contrast of what a page shows, measured in the browser."""

CONTRAST = """selector => {
    const parse = text => {
        const n = text.match(/[\\d.e-]+/g).map(Number), scale = text.startsWith('color(') ? 255 : 1;
        return [n[0] * scale, n[1] * scale, n[2] * scale, n[3] ?? 1];
    };
    const over = (top, below, a) => [0, 1, 2].map(c => top[c] * a + below[c] * (1 - a));
    const luminance = rgb => {
        const [r, g, b] = rgb.map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const found = [...document.querySelectorAll(selector)];
    return found.filter(e => e.textContent.trim() || e instanceof SVGElement).map(e => {
        const chain = [];
        for (let p = e; p; p = p.parentElement) chain.unshift(p);
        let ground = [255, 255, 255], alpha = 1;
        for (const p of chain) {
            const s = getComputedStyle(p);
            if (p !== e || !(p instanceof SVGElement)) {
                const c = parse(s.backgroundColor);
                ground = over(c, ground, c[3] * alpha);
            }
            alpha *= s.opacity;
        }
        const s = getComputedStyle(e), svg = e instanceof SVGElement;
        const stroked = svg && (s.fill === 'none' || parse(s.fill)[3] * s.fillOpacity === 0);
        const colour = parse(stroked ? s.stroke : svg ? s.fill : s.color);
        const own = svg ? (stroked ? s.strokeOpacity : s.fillOpacity) : 1;
        const seen = over(colour, ground, colour[3] * own * alpha);
        const [a, b] = [luminance(seen), luminance(ground)].sort((x, y) => y - x);
        return [(a + .05) / (b + .05), e.textContent.slice(0, 30) || e.tagName];
    });
}"""
