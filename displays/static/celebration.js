// Coins and ribbons over the whole screen while a win is celebrated.

const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
const PIECES = 170;

export class Celebration {
  #canvas;
  #pieces = [];
  #frame = null;
  #last = 0;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  start() {
    if (STILL.matches || this.#frame !== null) return;
    const { clientWidth, clientHeight } = this.#canvas;
    const scale = Math.min(2, window.devicePixelRatio);
    this.#canvas.width = clientWidth * scale;
    this.#canvas.height = clientHeight * scale;
    const style = getComputedStyle(this.#canvas);
    const colours = ["--metal-bright", "--metal", "--metal-deep", "--jewel", "--jewel-bright"];
    const paints = colours.map((name) => style.getPropertyValue(name).trim());
    this.#pieces = Array.from({ length: PIECES }, () => piece(this.#canvas, paints));
    this.#last = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#step(now));
  }

  stop() {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#canvas.getContext("2d").clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  #step(now) {
    const passed = Math.min(0.25, (now - this.#last) / 1000);
    this.#last = now;
    const brush = this.#canvas.getContext("2d");
    brush.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    for (const one of this.#pieces) {
      fall(one, passed, this.#canvas);
      paint(brush, one);
    }
    this.#frame = requestAnimationFrame((next) => this.#step(next));
  }
}

function piece(canvas, paints) {
  const size = Math.min(canvas.width, canvas.height);
  return {
    x: Math.random() * canvas.width,
    y: (Math.random() * 1.4 - 1) * canvas.height,
    size: size * (0.008 + Math.random() * 0.016),
    speed: size * (0.18 + Math.random() * 0.3),
    drift: size * (Math.random() - 0.5) * 0.12,
    turn: Math.random() * 6,
    spin: 1.5 + Math.random() * 4,
    coin: Math.random() < 0.55,
    paint: paints[Math.floor(Math.random() * paints.length)],
    rim: paints[2],
    shine: paints[0],
  };
}

function fall(one, passed, canvas) {
  one.y += one.speed * passed;
  one.x += one.drift * passed;
  one.turn += one.spin * passed;
  if (one.y > canvas.height + one.size * 2) {
    one.y = -one.size * 2;
    one.x = Math.random() * canvas.width;
  }
}

function paint(brush, one) {
  const tilt = Math.cos(one.turn);
  brush.save();
  brush.translate(one.x, one.y);
  if (one.coin) {
    brush.fillStyle = one.rim;
    disc(brush, one.size, Math.abs(tilt) * 0.9 + 0.1);
    brush.fillStyle = tilt > 0.6 ? one.shine : one.paint;
    disc(brush, one.size * 0.78, Math.abs(tilt) * 0.9 + 0.05);
  } else {
    brush.rotate(one.turn * 0.6);
    brush.fillStyle = one.paint;
    brush.fillRect(-one.size * 0.4, -one.size * tilt, one.size * 0.8, one.size * 2 * tilt);
  }
  brush.restore();
}

function disc(brush, radius, squeeze) {
  brush.beginPath();
  brush.ellipse(0, 0, radius * squeeze, radius, 0, 0, Math.PI * 2);
  brush.fill();
}
