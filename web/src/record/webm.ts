// WebM: pictures encoded by the browser (VP9 or VP8), put into a file of one segment with clusters.

interface Packet {
  data: Uint8Array;
  time: number; // milliseconds
  key: boolean;
}

/** An element: id, size, content. */
function element(id: number[], content: Uint8Array | number[]): Uint8Array {
  const body = content instanceof Uint8Array ? content : Uint8Array.from(content);
  const size = new Uint8Array(8); // sizes of eight bytes are always right
  let rest = body.length;
  for (let i = 7; i > 0; --i) {
    size[i] = rest & 255;
    rest = Math.floor(rest / 256);
  }
  size[0] = 1;
  return join([Uint8Array.from(id), size, body]);
}

function join(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

function whole(value: number): number[] {
  const bytes = [];
  for (let v = value; v > 0 || !bytes.length; v = Math.floor(v / 256)) bytes.unshift(v & 255);
  return bytes;
}

function text(s: string): number[] {
  return [...s].map((c) => c.charCodeAt(0));
}

function real(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return new Uint8Array(view.buffer);
}

function cluster(packets: Packet[]): Uint8Array {
  const start = packets[0].time;
  const blocks = packets.map((p) => {
    const offset = p.time - start;
    const head = Uint8Array.from([0x81, (offset >> 8) & 255, offset & 255, p.key ? 0x80 : 0]);
    return element([0xa3], join([head, p.data]));
  });
  return element([0x1f, 0x43, 0xb6, 0x75], join([element([0xe7], whole(start)), ...blocks]));
}

function file(packets: Packet[], codec: string, width: number, height: number, duration: number): Blob {
  const header = element([0x1a, 0x45, 0xdf, 0xa3], join([
    element([0x42, 0x86], [1]), element([0x42, 0xf7], [1]), element([0x42, 0xf2], [4]), element([0x42, 0xf3], [8]),
    element([0x42, 0x82], text('webm')), element([0x42, 0x87], [4]), element([0x42, 0x85], [2]),
  ]));
  const info = element([0x15, 0x49, 0xa9, 0x66], join([
    element([0x2a, 0xd7, 0xb1], whole(1_000_000)), element([0x44, 0x89], real(duration)),
    element([0x4d, 0x80], text('sinew')), element([0x57, 0x41], text('sinew')),
  ]));
  const video = element([0xe0], join([element([0xb0], whole(width)), element([0xba], whole(height))]));
  const track = element([0x16, 0x54, 0xae, 0x6b], element([0xae], join([
    element([0xd7], [1]), element([0x73, 0xc5], [1]), element([0x83], [1]), element([0x86], text(codec)), video,
  ])));
  const clusters: Uint8Array[] = [];
  let open: Packet[] = [];
  for (const p of packets) {
    if (open.length && (p.key || p.time - open[0].time > 5000)) {
      clusters.push(cluster(open));
      open = [];
    }
    open.push(p);
  }
  if (open.length) clusters.push(cluster(open));
  const segment = element([0x18, 0x53, 0x80, 0x67], join([info, track, ...clusters]));
  return new Blob([header, segment], { type: 'video/webm' });
}

export async function encodeWebm(
  frames: number,
  fps: number,
  width: number,
  height: number,
  draw: (frame: number) => Promise<HTMLCanvasElement>,
): Promise<Blob> {
  const packets: Packet[] = [];
  let failure: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      packets.push({ data, time: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key' });
    },
    error: (e) => (failure = e),
  });
  const settings = { width, height, bitrate: Math.round(width * height * fps * 0.12), framerate: fps };
  const codecs: [string, string][] = [['vp09.00.40.08', 'V_VP9'], ['vp8', 'V_VP8']];
  let name = '';
  for (const [codec, id] of codecs) {
    const { supported } = await VideoEncoder.isConfigSupported({ codec, ...settings });
    if (!supported) continue;
    encoder.configure({ codec, ...settings });
    name = id;
    break;
  }
  if (!name) throw new Error('this browser encodes neither VP9 nor VP8; make a .gif instead');
  for (let i = 0; i < frames && !failure; ++i) {
    const frame = new VideoFrame(await draw(i), { timestamp: Math.round((1e6 * i) / fps), duration: Math.round(1e6 / fps) });
    encoder.encode(frame, { keyFrame: i % (2 * Math.round(fps)) === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 4) await new Promise((r) => setTimeout(r, 5));
  }
  if (!failure) await encoder.flush();
  if (failure) throw failure;
  return file(packets, name, width, height, (1000 * frames) / fps);
}
