// Shape functions of the plate element (src/body/plate_shape.c), for markers and as text for the shader.

/** S1 .. S12 at (s, h); nodes at (0,0), (1,0), (1,1), (0,1), each with r, r_s, r_h. */
export function plateShapes(s: number, h: number): number[] {
  return [
    -(s - 1) * (h - 1) * (2 * h * h - h + 2 * s * s - s - 1), -s * (s - 1) ** 2 * (h - 1), -h * (h - 1) ** 2 * (s - 1),
    s * (2 * h * h - h - 3 * s + 2 * s * s) * (h - 1), -s * s * (s - 1) * (h - 1), s * h * (h - 1) ** 2,
    -s * h * (1 - 3 * s - 3 * h + 2 * h * h + 2 * s * s), s * s * h * (s - 1), s * h * h * (h - 1),
    h * (s - 1) * (2 * s * s - s - 3 * h + 2 * h * h), s * h * (s - 1) ** 2, -h * h * (s - 1) * (h - 1),
  ];
}

/** The same with the first derivatives. */
export const plateShader = /* glsl */ `
void plate(float s, float h, out float S[12], out float Ss[12], out float Sh[12]) {
  float a = s - 1.0, b = h - 1.0, p = 2.0*h*h - h + 2.0*s*s - s - 1.0;
  S[0] = -a*b*p;             Ss[0] = -b*(p + a*(4.0*s - 1.0));      Sh[0] = -a*(p + b*(4.0*h - 1.0));
  S[1] = -s*a*a*b;           Ss[1] = -b*(a*a + 2.0*s*a);            Sh[1] = -s*a*a;
  S[2] = -h*b*b*a;           Ss[2] = -h*b*b;                        Sh[2] = -a*(b*b + 2.0*h*b);
  float u = 2.0*h*h - h - 3.0*s + 2.0*s*s;
  S[3] = s*u*b;              Ss[3] = b*(u + s*(4.0*s - 3.0));       Sh[3] = s*(u + b*(4.0*h - 1.0));
  S[4] = -s*s*a*b;           Ss[4] = -b*(2.0*s*a + s*s);            Sh[4] = -s*s*a;
  S[5] = s*h*b*b;            Ss[5] = h*b*b;                         Sh[5] = s*(b*b + 2.0*h*b);
  float v = 1.0 - 3.0*s - 3.0*h + 2.0*h*h + 2.0*s*s;
  S[6] = -s*h*v;             Ss[6] = -h*(v + s*(4.0*s - 3.0));      Sh[6] = -s*(v + h*(4.0*h - 3.0));
  S[7] = s*s*h*a;            Ss[7] = h*(2.0*s*a + s*s);             Sh[7] = s*s*a;
  S[8] = s*h*h*b;            Ss[8] = h*h*b;                         Sh[8] = s*(2.0*h*b + h*h);
  float w = 2.0*s*s - s - 3.0*h + 2.0*h*h;
  S[9] = h*a*w;              Ss[9] = h*(w + a*(4.0*s - 1.0));       Sh[9] = a*(w + h*(4.0*h - 3.0));
  S[10] = s*h*a*a;           Ss[10] = h*(a*a + 2.0*s*a);            Sh[10] = s*a*a;
  S[11] = -h*h*a*b;          Ss[11] = -h*h*b;                       Sh[11] = -a*(2.0*h*b + h*h);
}
`;
