"""A class for every kind of thing in a model. Made by python/generate_kinds.py; do not edit."""
from __future__ import annotations

from typing import Any

from .kind import Kind

__all__: list[str] = []


class Material(Kind):
    """isotropic linear elastic material

    density: mass density [kg/m3]
    young: Young's modulus; required by flexible bodies [Pa]; default 0
    poisson: Poisson's ratio; default 0.3
    """

    _category, _type = 'material', 'material'

    def __init__(
        self,
        *,
        density: Any, young: Any = None, poisson: Any = None,
    ):
        super().__init__(locals())


__all__.append("Material")


class RectangleSection(Kind):
    """solid rectangle

    width: dimension along the local z axis [m]
    height: dimension along the local y axis [m]
    """

    _category, _type = 'section', 'rectangle'

    def __init__(
        self,
        *,
        width: Any, height: Any,
    ):
        super().__init__(locals())


__all__.append("RectangleSection")


class CircleSection(Kind):
    """solid circle

    radius: outer radius [m]
    """

    _category, _type = 'section', 'circle'

    def __init__(
        self,
        *,
        radius: Any,
    ):
        super().__init__(locals())


__all__.append("CircleSection")


class TubeSection(Kind):
    """hollow circle

    radius: outer radius [m]
    inner: inner radius, smaller than the outer radius [m]
    """

    _category, _type = 'section', 'tube'

    def __init__(
        self,
        *,
        radius: Any, inner: Any,
    ):
        super().__init__(locals())


__all__.append("TubeSection")


class GeneralSection(Kind):
    """section given by area and second moments

    A: area [m2]
    Iyy: second moment of area about y [m4]
    Izz: second moment of area about z [m4]
    J: torsion constant [m4]; default 0
    rotary_Iyy: second moment about y that the mass has, where it is not spread as the stiffness is: density
        times this is the rotary inertia per length; default: Iyy. Not for cables, which have none [m4]
    rotary_Izz: the same about z; default: Izz [m4]
    """

    _category, _type = 'section', 'general'

    def __init__(
        self,
        *,
        A: Any, Iyy: Any, Izz: Any, J: Any = None, rotary_Iyy: Any = None, rotary_Izz: Any = None,
    ):
        super().__init__(locals())


__all__.append("GeneralSection")


class BoxShape(Kind):
    """box with edges along the body axes

    size: edges along the body axes [m]
    """

    _category, _type = 'shape', 'box'

    def __init__(
        self,
        *,
        size: Any,
    ):
        super().__init__(locals())


__all__.append("BoxShape")


class SphereShape(Kind):
    """sphere

    radius: radius [m]
    """

    _category, _type = 'shape', 'sphere'

    def __init__(
        self,
        *,
        radius: Any,
    ):
        super().__init__(locals())


__all__.append("SphereShape")


class CylinderShape(Kind):
    """cylinder along the body x axis

    radius: radius [m]
    length: length along the body x axis; 0: the distance from 'from' to 'to' of the body [m]; default 0
    """

    _category, _type = 'shape', 'cylinder'

    def __init__(
        self,
        *,
        radius: Any, length: Any = None,
    ):
        super().__init__(locals())


__all__.append("CylinderShape")


class EllipsoidShape(Kind):
    """ellipsoid with semi-axes along the body axes

    radii: semi-axes along the body axes [m]
    """

    _category, _type = 'shape', 'ellipsoid'

    def __init__(
        self,
        *,
        radii: Any,
    ):
        super().__init__(locals())


__all__.append("EllipsoidShape")


class ConvexShape(Kind):
    """convex hull of points

    points: points whose convex hull it is, along the body axes, or the name of a CSV (x, y, z in each line),
        OBJ or STL file with them, relative to the folder of the model. Any origin: the center of mass of the
        solid becomes the origin of the body axes [m]
    """

    _category, _type = 'shape', 'convex'

    def __init__(
        self,
        *,
        points: Any,
    ):
        super().__init__(locals())


__all__.append("ConvexShape")


class Ground(Kind):
    """the inertial frame; always present

    points: named points: {name: [x, y, z], ...} [m]
    """

    _category, _type = 'body', 'ground'

    def __init__(
        self,
        *,
        points: Any = None,
    ):
        super().__init__(locals())


__all__.append("Ground")


class Rigid(Kind):
    """rigid body, in space or (planar models) in the plane

    position: initial position of the center of mass; the body then has no points 'start' and 'end' [m]
    rotation: initial orientation: quaternion, scalar first, or {axis: [x, y, z], angle: rad}; default [1, 0, 0,
        0]
    from_: first end of the body, its point 'start'; with 'to': center of mass at the midpoint, body x axis from
        'from' to 'to' [m]
    to: second end of the body, its point 'end' [m]
    mass: mass; alternatively density and shape [kg]
    inertia: moments of inertia about the center of mass in body axes: [Jxx, Jyy, Jzz] or [Jxx, Jyy, Jzz, Jxy,
        Jxz, Jyz], the elements of the tensor: Jxy is minus the integral of x y dm; alternatively shape [kg m2]
    density: mass density of the shape [kg/m3]
    shape: shape that defines mass and inertia and is drawn
    velocity: initial velocity of the center of mass [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity, global axes [rad/s]; default [0, 0, 0]
    points: named points in body axes: {name: [x, y, z], ...} [m]
    """

    _category, _type = 'body', 'rigid'

    def __init__(
        self,
        *,
        position: Any = None, rotation: Any = None, from_: Any = None, to: Any = None, mass: Any = None,
        inertia: Any = None, density: Any = None, shape: Any = None, velocity: Any = None, angular_velocity:
        Any = None, points: Any = None,
    ):
        super().__init__(locals())


__all__.append("Rigid")


class PointMass(Kind):
    """point mass, free or attached to a cable or beam

    mass: mass [kg]
    position: initial position [m]
    velocity: initial velocity [m/s]; default [0, 0, 0]
    attach: point of a cable or beam to which the mass is attached; it then has no coordinates of its own
    """

    _category, _type = 'body', 'point-mass'

    def __init__(
        self,
        *,
        mass: Any, position: Any = None, velocity: Any = None, attach: Any = None,
    ):
        super().__init__(locals())


__all__.append("PointMass")


class Cable(Kind):
    """thin beam or cable, large deformation (gradient-deficient ANCF)

    material: name of a material
    section: name of a section; the bending stiffness is E Izz in all directions
    from_: first end of the reference line [m]
    to: second end of the reference line [m]
    via: third point; the line is the circular arc through from, via and to [m]
    through: points of a smooth line, instead of from and to; stress-free in this shape unless 'rest' is given
        [m]
    rest: shape without stress: as it starts, or straight, so that a line that starts bent (a rope laid over a
        pulley) is under stress; default curve
    rest_length: stress-free length of a line that is straight at rest; default: the initial length [m]
    rest_through: points of the stress-free shape, at any position; its length is distributed uniformly along
        the line [m]
    elements: number of elements; default 8
    section_end: section at the second end, of the same type; dimensions vary linearly in between
    taper: interpolation from 'section' (0) to 'section_end' (1), function of s from 0 to 1; default s
    curvature: |r' x r''|/|r'|^3, or /|r'|^2; default geometric
    bending: curved lines: energy of the signed curvature (planar, for motion in the plane of the line) or of
        its magnitude (scalar, no torsional stiffness); auto: planar in planar models and if nothing can leave
        the plane; default auto
    stiffness_damping: Kelvin-Voigt damping: stress = this times E times the strain rate [s]; default 0
    mass_damping: mass-proportional damping: force = -this M v [1/s]; default 0
    velocity: initial velocity of the first end [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity about the first end [rad/s]; default [0, 0, 0]
    """

    _category, _type = 'body', 'cable'

    def __init__(
        self,
        *,
        material: Any, section: Any, from_: Any = None, to: Any = None, via: Any = None, through: Any =
        None, rest: Any = None, rest_length: Any = None, rest_through: Any = None, elements: Any = None,
        section_end: Any = None, taper: Any = None, curvature: Any = None, bending: Any = None,
        stiffness_damping: Any = None, mass_damping: Any = None, velocity: Any = None, angular_velocity: Any
        = None,
    ):
        super().__init__(locals())


__all__.append("Cable")


class Plate(Kind):
    """thin plate or cylindrical shell, large deformation (gradient-deficient ANCF)

    along: first edge, sw to se: direction and length (u from 0 to 1) [m]
    across: second edge, sw to nw, normal to the first (v from 0 to 1) [m]
    thickness: thickness [m]
    material: name of a material
    at: corner sw: u = 0, v = 0 [m]; default [0, 0, 0]
    elements: elements along the first and the second edge; default [8, 8]
    radius: radius of a stress-free cylindrical shape that starts along the first edge and bends toward first
        edge x second edge (negative: away from it) [m]
    stiffness_damping: Kelvin-Voigt damping: stress = this times E times the strain rate [s]; default 0
    mass_damping: mass-proportional damping: force = -this M v [1/s]; default 0
    velocity: initial velocity of the corner sw [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity about the corner sw [rad/s]; default [0, 0, 0]
    """

    _category, _type = 'body', 'plate'

    def __init__(
        self,
        *,
        along: Any, across: Any, thickness: Any, material: Any, at: Any = None, elements: Any = None,
        radius: Any = None, stiffness_damping: Any = None, mass_damping: Any = None, velocity: Any = None,
        angular_velocity: Any = None,
    ):
        super().__init__(locals())


__all__.append("Plate")


class Floating(Kind):
    """straight beam in a floating frame: small deformation, large motion; optional modal reduction; axial forces do not change its bending: 'beam' or 'cable' for columns, strings, fast blades

    from_: start of the beam [m]
    to: end of the beam [m]
    material: name of a material
    section: name of a section; with a torsion constant in spatial models
    up: direction of the y axis (height) of the section, made normal to the beam; default: by the shortest
        rotation from [1, 0, 0]
    elements: number of elements; default 4
    reference: floating frame: tangent at the start, or axis through both ends; default tangent
    theory: without or with shear deformation; default euler-bernoulli
    shear_factor: timoshenko: shear correction factor; default 5/6
    modes: Craig-Bampton reduction to the coordinates of the ends and this many fixed-interface modes; modes of
        equal frequency are kept together; default: no reduction
    stiffness_damping: stiffness-proportional damping of the deformation [s]; default 0
    mass_damping: mass-proportional damping of the deformation [1/s]; default 0
    velocity: initial velocity of the first end [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity about the first end [rad/s]; default [0, 0, 0]
    """

    _category, _type = 'body', 'floating'

    def __init__(
        self,
        *,
        from_: Any, to: Any, material: Any, section: Any, up: Any = None, elements: Any = None, reference:
        Any = None, theory: Any = None, shear_factor: Any = None, modes: Any = None, stiffness_damping: Any
        = None, mass_damping: Any = None, velocity: Any = None, angular_velocity: Any = None,
    ):
        super().__init__(locals())


__all__.append("Floating")


class PlanarBar(Kind):
    """planar bar of two-node elements, axial deformation only (Huang)

    from_: first end of the line [m]
    to: second end of the line [m]
    material: name of a material
    section: name of a section
    elements: number of elements; bars are connected by hinges; default 1
    formulation: irf: inertial frame; ancf-s: simplified absolute nodal coordinates; frf: a floating frame per
        element; default irf
    velocity: initial velocity of the first end [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity about the first end [rad/s]; default [0, 0, 0]
    """

    _category, _type = 'body', 'planar-bar'

    def __init__(
        self,
        *,
        from_: Any, to: Any, material: Any, section: Any, elements: Any = None, formulation: Any = None,
        velocity: Any = None, angular_velocity: Any = None,
    ):
        super().__init__(locals())


__all__.append("PlanarBar")


class PlanarBeam(Kind):
    """planar beam of two-node elements in one of three formulations (Huang)

    from_: first end of the line [m]
    to: second end of the line [m]
    material: name of a material
    section: name of a section
    elements: number of elements; bars are connected by hinges; default 8
    formulation: irf: inertial frame; ancf-s: simplified absolute nodal coordinates; frf: a floating frame per
        element; default irf
    theory: bar: axial only (as planar-bar); euler-bernoulli: bending; timoshenko: bending and shear; default
        euler-bernoulli
    shear_factor: timoshenko: shear correction factor; default 5/6
    mass: irf beams: consistent mass of the interpolated line, or the constant mass matrix of the thesis (too
        much rotational inertia on coarse meshes); default consistent
    rotary_inertia: rotary inertia of the sections; false: mass on the axis only, as in the thesis; default true
    axial_strain: irf beams: mean strain of the bent element, or that of its chord as in the thesis: axial
        forces then change bending between the elements only, with an error of N l^2/(12 EI); default mean
    velocity: initial velocity of the first end [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity about the first end [rad/s]; default [0, 0, 0]
    """

    _category, _type = 'body', 'planar-beam'

    def __init__(
        self,
        *,
        from_: Any, to: Any, material: Any, section: Any, elements: Any = None, formulation: Any = None,
        theory: Any = None, shear_factor: Any = None, mass: Any = None, rotary_inertia: Any = None,
        axial_strain: Any = None, velocity: Any = None, angular_velocity: Any = None,
    ):
        super().__init__(locals())


__all__.append("PlanarBeam")


class Beam(Kind):
    """beam with shear and torsion, large deformation (fully parameterized ANCF)

    material: name of a material
    section: name of a section
    from_: first end of the reference line [m]
    to: second end of the reference line [m]
    via: third point; the line is the circular arc through from, via and to [m]
    through: points of a smooth line, instead of from and to; stress-free in this shape unless 'rest' is given
        [m]
    rest: shape without stress: as it starts, or straight, so that a line that starts bent (a rope laid over a
        pulley) is under stress; default curve
    rest_length: stress-free length of a line that is straight at rest; default: the initial length [m]
    rest_through: points of the stress-free shape, at any position; its length is distributed uniformly along
        the line [m]
    elements: number of elements; default 8
    section_end: section at the second end, of the same type; dimensions vary linearly in between
    taper: interpolation from 'section' (0) to 'section_end' (1), function of s from 0 to 1; default s
    up: y axis (height) of the section at the first end, made normal to the line; default: the z axis of the
        section is as close to global z as possible. Along a curved line the section axes are transported
        without twist
    rest_up: 'up' for the stress-free shape 'rest_through', with the same rules
    twist: pretwist: angle of the section about the line against 'up', function of s from 0 to 1; stress-free
        unless 'rest: straight' or 'rest_through' is given [rad]
    rest_twist: twist of the stress-free shape where that is another one ('rest: straight' or 'rest_through');
        default: none [rad]
    elastic: timoshenko: stretch, bending, shear, and torsion with the torsion constant of the section; elastic-
        line: the same without shear; selective and continuum: strains over the volume, torsion without warping,
        with the Poisson effect on the axis only (selective) or everywhere (continuum, locks in bending); both
        lock in strong bending of slender elements; default timoshenko
    k2: shear correction factor of x-z, not for continuum; default: 5/6, or Cowper's for circle and tube
    k3: shear correction factor of x-y, same default
    stiffness_damping: Kelvin-Voigt damping: stress = this times the elastic constants times the strain rate
        [s]; default 0
    mass_damping: mass-proportional damping: force = -this M v [1/s]; default 0
    velocity: initial velocity of the first end [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity about the first end [rad/s]; default [0, 0, 0]
    """

    _category, _type = 'body', 'beam'

    def __init__(
        self,
        *,
        material: Any, section: Any, from_: Any = None, to: Any = None, via: Any = None, through: Any =
        None, rest: Any = None, rest_length: Any = None, rest_through: Any = None, elements: Any = None,
        section_end: Any = None, taper: Any = None, up: Any = None, rest_up: Any = None, twist: Any = None,
        rest_twist: Any = None, elastic: Any = None, k2: Any = None, k3: Any = None, stiffness_damping: Any
        = None, mass_damping: Any = None, velocity: Any = None, angular_velocity: Any = None,
    ):
        super().__init__(locals())


__all__.append("Beam")


class Beam2d(Kind):
    """planar beam with shear, large deformation (ANCF of Omar and Shabana)

    material: name of a material
    section: name of a rectangular section: height in the plane, width normal to it
    from_: first end of the reference line [m]
    to: second end of the reference line [m]
    via: third point; the line is the circular arc through from, via and to [m]
    through: points of a smooth line, instead of from and to; stress-free in this shape unless 'rest' is given
        [m]
    rest: shape without stress: as it starts, or straight, so that a line that starts bent (a rope laid over a
        pulley) is under stress; default curve
    rest_length: stress-free length of a line that is straight at rest; default: the initial length [m]
    rest_through: points of the stress-free shape, at any position; its length is distributed uniformly along
        the line [m]
    elements: number of elements; default 8
    section_end: section at the second end, of the same type; dimensions vary linearly in between
    taper: interpolation from 'section' (0) to 'section_end' (1), function of s from 0 to 1; default s
    plane: plane stress or plane strain; default stress
    elastic: selective: Poisson effect on the axis only; continuum: everywhere, as published; bending is then
        too stiff, by 1/(1 - nu^2) in plane stress; default selective
    shear_factor: shear correction factor; selective only; default 5/6
    stiffness_damping: Kelvin-Voigt damping: stress = this times the elastic constants times the strain rate
        [s]; default 0
    mass_damping: mass-proportional damping: force = -this M v [1/s]; default 0
    velocity: initial velocity of the first end [m/s]; default [0, 0, 0]
    angular_velocity: initial angular velocity about the first end [rad/s]; default [0, 0, 0]
    """

    _category, _type = 'body', 'beam2d'

    def __init__(
        self,
        *,
        material: Any, section: Any, from_: Any = None, to: Any = None, via: Any = None, through: Any =
        None, rest: Any = None, rest_length: Any = None, rest_through: Any = None, elements: Any = None,
        section_end: Any = None, taper: Any = None, plane: Any = None, elastic: Any = None, shear_factor:
        Any = None, stiffness_damping: Any = None, mass_damping: Any = None, velocity: Any = None,
        angular_velocity: Any = None,
    ):
        super().__init__(locals())


__all__.append("Beam2d")


class Spherical(Kind):
    """two points coincide, rotation is free

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    """

    _category, _type = 'joint', 'spherical'

    def __init__(
        self,
        *,
        between: Any,
    ):
        super().__init__(locals())


__all__.append("Spherical")


class Revolute(Kind):
    """points coincide, rotation about one axis (hinge)

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: initial joint axis, global; default [0, 0, 1]
    carrier: between two cables: rigid body or ground that carries the axis, since cables have no section axes;
        the cables do not twist relative to it (see theory: the frame of a cable). Default: the ground
    """

    _category, _type = 'joint', 'revolute'

    def __init__(
        self,
        *,
        between: Any, axis: Any = None, carrier: Any = None,
    ):
        super().__init__(locals())


__all__.append("Revolute")


class Fixed(Kind):
    """rigid connection of position and orientation

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    slope: cables and plates: fix the direction, or the whole slope vectors (no strain at the clamp); beams: fix
        the orientation of the section, or all slope vectors; default direction
    """

    _category, _type = 'joint', 'fixed'

    def __init__(
        self,
        *,
        between: Any, slope: Any = None,
    ):
        super().__init__(locals())


__all__.append("Fixed")


class Distance(Kind):
    """constant distance between two points (massless rod)

    between: two markers, both with a point
    length: constant distance; default: the initial distance [m]
    """

    _category, _type = 'joint', 'distance'

    def __init__(
        self,
        *,
        between: Any, length: Any = None,
    ):
        super().__init__(locals())


__all__.append("Distance")


class Rope(Kind):
    """weightless rope of constant length through eyes and small pulleys

    through: points through which the rope runs: its two ends, and between them eyes or pulleys whose radius
        does not matter, without friction; with radii, friction or elasticity: the force 'reeving'
    length: length, all spans together; default: that at the start [m]
    feed: length let out in addition, as a function of time: a winch [m]; default 0
    """

    _category, _type = 'joint', 'rope'

    def __init__(
        self,
        *,
        through: Any, length: Any = None, feed: Any = None,
    ):
        super().__init__(locals())


__all__.append("Rope")


class Universal(Kind):
    """Cardan joint: points coincide, rotation about two crossed axes

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: pivot of the cross on the first body, at the start, global
    axis2: initial axis of the cross on the second body, normal to the first, global
    carrier: between two cables: rigid body or ground that carries the axis, since cables have no section axes;
        the cables do not twist relative to it (see theory: the frame of a cable). Default: the ground
    """

    _category, _type = 'joint', 'universal'

    def __init__(
        self,
        *,
        between: Any, axis: Any, axis2: Any, carrier: Any = None,
    ):
        super().__init__(locals())


__all__.append("Universal")


class Cylindrical(Kind):
    """rotation about an axis and translation along it

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: axis of rotation and sliding at the start, global
    carrier: between two cables: rigid body or ground that carries the axis, since cables have no section axes;
        the cables do not twist relative to it (see theory: the frame of a cable). Default: the ground
    """

    _category, _type = 'joint', 'cylindrical'

    def __init__(
        self,
        *,
        between: Any, axis: Any, carrier: Any = None,
    ):
        super().__init__(locals())


__all__.append("Cylindrical")


class Prismatic(Kind):
    """translation along an axis without rotation

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: axis of sliding at the start, global
    carrier: between two cables: rigid body or ground that carries the axis, since cables have no section axes;
        the cables do not twist relative to it (see theory: the frame of a cable). Default: the ground
    """

    _category, _type = 'joint', 'prismatic'

    def __init__(
        self,
        *,
        between: Any, axis: Any, carrier: Any = None,
    ):
        super().__init__(locals())


__all__.append("Prismatic")


class Planar(Kind):
    """two bodies translate and rotate in a common plane

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: normal of the plane at the start, global
    """

    _category, _type = 'joint', 'planar'

    def __init__(
        self,
        *,
        between: Any, axis: Any,
    ):
        super().__init__(locals())


__all__.append("Planar")


class PointOnLine(Kind):
    """a point stays on a straight line of another body

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: direction of the line, which goes through the first marker, at the start, global
    """

    _category, _type = 'joint', 'point-on-line'

    def __init__(
        self,
        *,
        between: Any, axis: Any,
    ):
        super().__init__(locals())


__all__.append("PointOnLine")


class PointOnPlane(Kind):
    """a point stays on a plane of another body

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: normal of the plane, which goes through the first marker, at the start, global
    """

    _category, _type = 'joint', 'point-on-plane'

    def __init__(
        self,
        *,
        between: Any, axis: Any,
    ):
        super().__init__(locals())


__all__.append("PointOnPlane")


class PointOnCurve(Kind):
    """a point stays on a smooth curve of another body, given by points or formulas

    between: the body that carries the curve (a rigid body, the ground, or a body with a frame), and the point
    points: points of the curve at the start, global; a cubic spline goes through them [m]
    curve: instead of points: x, y, z of the curve at the start, global, as functions of s from 0 to 1 [m]
    closed: does the curve return to its first point? That point is not repeated in the list. A run ends where
        the point leaves an open curve; default false
    """

    _category, _type = 'joint', 'point-on-curve'

    def __init__(
        self,
        *,
        between: Any, points: Any = None, curve: Any = None, closed: Any = None,
    ):
        super().__init__(locals())


__all__.append("PointOnCurve")


class Cam(Kind):
    """cam with a follower that never leaves it: roller or flat face

    between: the cam (a body with a frame), and the follower: the center of its roller, or a point of its flat
        face
    points: points of the curve at the start, global; a cubic spline goes through them [m]
    curve: instead of points: x, y, z of the curve at the start, global, as functions of s from 0 to 1 [m]
    closed: does the curve return to its first point? That point is not repeated in the list. A run ends where
        the point leaves an open curve; default true
    axis: normal of the plane of the profile, at the start, global; default [0, 0, 1]
    follower: shape of the follower; a flat face needs a convex profile; default roller
    radius: radius of the roller; 0: a knife edge [m]; default 0
    face: flat follower: normal of its face at the start, global; default [0, 0, 0]
    groove: the follower is held on both sides, as by a groove, and the contact may pull; otherwise a run in
        which it pulls is bad; default false
    """

    _category, _type = 'joint', 'cam'

    def __init__(
        self,
        *,
        between: Any, points: Any = None, curve: Any = None, closed: Any = None, axis: Any = None, follower:
        Any = None, radius: Any = None, face: Any = None, groove: Any = None,
    ):
        super().__init__(locals())


__all__.append("Cam")


class Rolling(Kind):
    """a sphere or disk rolls on a plane without slip; it never leaves the plane, and a run in which the plane pulls is doubtful

    between: a point of the plane on the body that carries it (the ground, or a body with a frame), and the
        center of the sphere or disk
    radius: radius of the sphere or disk [m]
    normal: normal of the plane at the start, global, toward the rolling body
    axis: a thin disk with this axis, in space; without it a sphere (in planar models a circle); the axis at the
        start, global; default [0, 0, 0]
    """

    _category, _type = 'joint', 'rolling'

    def __init__(
        self,
        *,
        between: Any, radius: Any, normal: Any, axis: Any = None,
    ):
        super().__init__(locals())


__all__.append("Rolling")


class KnifeEdge(Kind):
    """a point moves only along an edge of its body, not across it: skate, blade, wheel of a cart

    between: the body on which the edge glides (the ground, or a body with a frame), and the point of the edge
    axis: direction across the edge, fixed to the second body, at the start, global
    """

    _category, _type = 'joint', 'knife-edge'

    def __init__(
        self,
        *,
        between: Any, axis: Any,
    ):
        super().__init__(locals())


__all__.append("KnifeEdge")


class Parallel(Kind):
    """axes of two bodies stay parallel; positions are free

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: common direction; it may be the tangent of a cable or a normal of it, at the start, global
    """

    _category, _type = 'joint', 'parallel'

    def __init__(
        self,
        *,
        between: Any, axis: Any,
    ):
        super().__init__(locals())


__all__.append("Parallel")


class Coordinate(Kind):
    """angle and travel between two markers without constraint, for ties, drivers and outputs

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    axis: axis of the angle and the travel, carried by the first body, at the start, global; default [0, 0, 1]
    carrier: between two cables: rigid body or ground that carries the axis, since cables have no section axes;
        the cables do not twist relative to it (see theory: the frame of a cable). Default: the ground
    """

    _category, _type = 'joint', 'coordinate'

    def __init__(
        self,
        *,
        between: Any, axis: Any = None, carrier: Any = None,
    ):
        super().__init__(locals())


__all__.append("Coordinate")


class Sliding(Kind):
    """a point slides along a flexible line, with friction

    between: a point of a cable, beam or beam2d, then the point that slides along this line; they coincide at
        the start
    friction: coefficient of Coulomb friction; the normal force is the reaction; default 0
    creep_speed: sliding speed from which friction has its full value; below it, the point creeps instead of
        sticking [m/s]; default 1e-3
    damping: viscous friction: force per sliding speed [N s/m]; default 0
    stop_stiffness: stiffness of elastic stops at both ends of the line; without them the run ends with a
        message where the point leaves the line [N/m]
    """

    _category, _type = 'joint', 'sliding'

    def __init__(
        self,
        *,
        between: Any, friction: Any = None, creep_speed: Any = None, damping: Any = None, stop_stiffness:
        Any = None,
    ):
        super().__init__(locals())


__all__.append("Sliding")


class Gear(Kind):
    """constant ratio of the angles of two revolute joints, for any number of revolutions

    joints: the two revolute joints of the gears
    ratio: angle of the second revolute joint over that of the first, about their own axes; negative for
        external gears
    teeth: numbers of teeth (or radii) of both gears, instead of the ratio; external gears rotate in opposite
        directions
    inside: internal gear; default false
    """

    _category, _type = 'joint', 'gear'

    def __init__(
        self,
        *,
        joints: Any, ratio: Any = None, teeth: Any = None, inside: Any = None,
    ):
        super().__init__(locals())


__all__.append("Gear")


class Rack(Kind):
    """travel of a prismatic joint proportional to the angle of a revolute joint

    joints: the revolute joint of the pinion, then the prismatic joint of the rack
    radius: travel of the rack per radian of the pinion; the sign gives the direction [m]
    """

    _category, _type = 'joint', 'rack'

    def __init__(
        self,
        *,
        joints: Any, radius: Any,
    ):
        super().__init__(locals())


__all__.append("Rack")


class Tie(Kind):
    """linear relation between coordinates of joints, constant or driven in time

    joints: up to four coordinates: joint, joint.rotation or joint.translation, each from its start
    factors: factor of each coordinate
    value: value of the sum of factor times coordinate; default 0
    """

    _category, _type = 'joint', 'tie'

    def __init__(
        self,
        *,
        joints: Any, factors: Any, value: Any = None,
    ):
        super().__init__(locals())


__all__.append("Tie")


class Constraint(Kind):
    """relation between coordinates of joints: an equation, or a function of a program

    joints: its arguments x1, x2, ...: up to four coordinates, joint, joint.rotation or joint.translation, each
        from its start; angles count whole turns
    equation: expression of x1, x2, ... and t that stays zero; without it, a program sets a function
        (sn_set_constraint_function, Simulation.set_constraint) before the first step
    """

    _category, _type = 'joint', 'constraint'

    def __init__(
        self,
        *,
        joints: Any, equation: Any = None,
    ):
        super().__init__(locals())


__all__.append("Constraint")


class Motion(Kind):
    """driver: prescribed rotation or translation f(t)

    between: two markers, the first on a body with a frame
    joint: joint whose angle or travel is driven, instead of markers and axis
    axis: initial axis, global; it moves with the first body; default [0, 0, 1]
    rotation: rotation of the second body relative to the first about the axis, from the start [rad]
    translation: translation of the second marker relative to the first along the axis, from the start [m]
    """

    _category, _type = 'joint', 'motion'

    def __init__(
        self,
        *,
        between: Any = None, joint: Any = None, axis: Any = None, rotation: Any = None, translation: Any =
        None,
    ):
        super().__init__(locals())


__all__.append("Motion")


class Servo(Kind):
    """driver: follows a setpoint with limited speed and acceleration

    joint: joint whose angle or travel it drives
    setpoint: angle (rad) or travel (m) from the start to go to, read at the instants
    speed: largest speed
    acceleration: acceleration and deceleration
    period: the setpoint is read at the multiples of this time [s]
    coordinate: which one, of a joint with both; default any
    """

    _category, _type = 'joint', 'servo'

    def __init__(
        self,
        *,
        joint: Any, setpoint: Any, speed: Any, acceleration: Any, period: Any, coordinate: Any = None,
    ):
        super().__init__(locals())


__all__.append("Servo")


class Rotor(Kind):
    """inertia that turns with a joint through a gear, such as the rotor of a motor: on the first body of the joint, or on the ground if one of the two is the ground; mass and inertia across its axis belong to that body

    joint: joint that the rotor turns with
    inertia: inertia of the rotor about its own axis [kg m2]
    coordinate: angle or travel, of a joint with both; default any
    ratio: revolutions of the rotor for one of the joint, or rad for 1 m of its travel; default 1
    axis: in space: axis of the rotor on the first body at the start, global; default: that of a joint that
        turns. It matters if this body turns
    """

    _category, _type = 'joint', 'rotor'

    def __init__(
        self,
        *,
        joint: Any, inertia: Any, coordinate: Any = None, ratio: Any = None, axis: Any = None,
    ):
        super().__init__(locals())


__all__.append("Rotor")


class Force(Kind):
    """point force, by expressions of time and of the motion

    at: point of application
    force: components, expressions of t and of the motion [N]
    follower: follower force: components in axes that rotate with the body (global at the start); on a cable
        with its tangent; default false
    """

    _category, _type = 'force', 'force'

    def __init__(
        self,
        *,
        at: Any, force: Any, follower: Any = None,
    ):
        super().__init__(locals())


__all__.append("Force")


class Moment(Kind):
    """moment, by expressions of time and of the motion

    at: point of application
    moment: components, expressions of t and of the motion; on a cable the component along the tangent has no
        effect [N m]
    follower: follower force: components in axes that rotate with the body (global at the start); on a cable
        with its tangent; default false
    """

    _category, _type = 'force', 'moment'

    def __init__(
        self,
        *,
        at: Any, moment: Any, follower: Any = None,
    ):
        super().__init__(locals())


__all__.append("Moment")


class Spring(Kind):
    """translational spring-damper, linear or with a law

    between: two markers
    stiffness: stiffness [N/m]; default 0
    damping: damping along the line of the spring [N s/m]; default 0
    length: free length; default: the initial distance [m]
    force: law of the tension, added to that of stiffness and damping: an expression of stretch (length minus
        free length, m), rate (of the length, m/s), t and the motion [N]
    """

    _category, _type = 'force', 'spring'

    def __init__(
        self,
        *,
        between: Any, stiffness: Any = None, damping: Any = None, length: Any = None, force: Any = None,
    ):
        super().__init__(locals())


__all__.append("Spring")


class TorsionSpring(Kind):
    """torsional spring-damper about an axis; in space within half a revolution of the start, in the plane without limit

    between: two markers; if one is given as a body only, its point is the one that coincides with the other
        marker at the start
    joint: joint on which the spring acts, instead of markers and axis
    axis: initial axis, global; default [0, 0, 1]
    stiffness: torsional stiffness [N m/rad]; default 0
    damping: torsional damping [N m s/rad]; default 0
    angle: free angle: rotation of the second body relative to the first, from the start, at which the moment is
        zero [rad]; default 0
    moment: law of the moment, added to that of stiffness and damping: an expression of angle (from the free
        angle, rad), rate (rad/s), t and the motion [N m]
    """

    _category, _type = 'force', 'torsion-spring'

    def __init__(
        self,
        *,
        between: Any = None, joint: Any = None, axis: Any = None, stiffness: Any = None, damping: Any =
        None, angle: Any = None, moment: Any = None,
    ):
        super().__init__(locals())


__all__.append("TorsionSpring")


class Bushing(Kind):
    """spring-dampers along and about three axes between two frames; rotations in space are the rotation vector, below half a revolution

    between: two markers on bodies with frames, both with a point
    rotation: initial axes of the bushing relative to the global axes; they move with the first body; default
        [1, 0, 0, 0]
    stiffness: translational, along the axes [N/m]; default [0, 0, 0]
    damping: translational, along the axes [N s/m]; default [0, 0, 0]
    turn_stiffness: rotational, about the axes; planar models use the third [N m/rad]; default [0, 0, 0]
    turn_damping: rotational, about the axes [N m s/rad]; default [0, 0, 0]
    force: laws along the axes, added to stiffness and damping: expressions of stretch (m), rate (m/s), t and
        the motion, each of its own axis [N]
    moment: laws about the axes: expressions of angle (rad), rate (rad/s), t and the motion [N m]
    """

    _category, _type = 'force', 'bushing'

    def __init__(
        self,
        *,
        between: Any, rotation: Any = None, stiffness: Any = None, damping: Any = None, turn_stiffness: Any
        = None, turn_damping: Any = None, force: Any = None, moment: Any = None,
    ):
        super().__init__(locals())


__all__.append("Bushing")


class Stop(Kind):
    """elastic or rigid limits of a joint coordinate, or of a sum of two (backlash of gears)

    joints: the joint whose coordinate is limited: joint, joint.rotation or joint.translation; or two of them,
        the sum of which is, with the factors below
    factors: of the coordinates, default 1; for the backlash of two gears their pitch radii, the second one
        negative if the gears turn the same way
    min: least value of the coordinate or sum, from the start; default: none [rad or m]
    max: largest value; default: none [rad or m]
    stiffness: force at the depth 1, if the exponent is not 1. Required unless a restitution is given [N m/rad
        or N/m]
    exponent: of the depth in the force; default 1
    damping: c in the force k d^e (1 + c d'), which never pulls; the restitution at small speeds v is 1 - 2/3 c
        v [s/rad or s/m]; default 0
    restitution: makes the stop rigid, in symplectic-euler alone: speed after an impact over that before it;
        slower ones than its rebound_speed do not rebound
    """

    _category, _type = 'force', 'stop'

    def __init__(
        self,
        *,
        joints: Any, factors: Any = None, min: Any = None, max: Any = None, stiffness: Any = None, exponent:
        Any = None, damping: Any = None, restitution: Any = None,
    ):
        super().__init__(locals())


__all__.append("Stop")


class Friction(Kind):
    """friction in a joint: Coulomb with sticking, Stribeck, viscous; normal force from the reaction

    joint: joint with friction: revolute, cylindrical, prismatic, point-on-line or spherical; only a constant
        friction: also coordinate and planar
    coordinate: which one of a joint with two; each can have its own friction; default any
    coefficient: mu, of sliding; the normal force is the reaction of the joint across its axis, of a spherical
        joint all of it; default 0
    radius: of the pin or ball: the moment is mu times radius times normal force. Required for rotations with a
        coefficient [m]
    length: distance of two supports along the axis, with the point of the second body in the middle; each
        carries its part of the force and of the moment across the axis. Default: moments do not press [m]
    constant: friction besides that of the reaction, of sliding: seals, preloaded bearings [N m or N]; default 0
    breakaway: largest friction at rest over that of sliding: the ratio of static and kinetic coefficients;
        default 1
    stribeck_speed: u_s in 1 + (breakaway - 1) exp(-((u - creep_speed)/u_s)^2), the factor of friction at the
        speed u; symplectic-euler: exp(-(u/u_s)^2). Default: ten times the creep speed [rad/s or m/s]
    viscous: viscous friction: moment or force per speed [N m s/rad or N s/m]; default 0
    creep_speed: speed from which dry friction has its full value; a joint that sticks creeps, slower than this.
        symplectic-euler, where joints stick exactly, uses it only for the default of stribeck_speed [rad/s or
        m/s]; default 1e-3
    """

    _category, _type = 'force', 'friction'

    def __init__(
        self,
        *,
        joint: Any, coordinate: Any = None, coefficient: Any = None, radius: Any = None, length: Any = None,
        constant: Any = None, breakaway: Any = None, stribeck_speed: Any = None, viscous: Any = None,
        creep_speed: Any = None,
    ):
        super().__init__(locals())


__all__.append("Friction")


class Distributed(Kind):
    """distributed load on a cable or beam, fixed direction in space

    on: the cable or ANCF beam
    force: force per reference length, expressions of t and of the motion [N/m]
    profile: distribution along the line, function of s from 0 to 1; default 1
    from_: start of the load, s; default 0
    to: end of the load, s; default 1
    """

    _category, _type = 'force', 'distributed'

    def __init__(
        self,
        *,
        on: Any, force: Any, profile: Any = None, from_: Any = None, to: Any = None,
    ):
        super().__init__(locals())


__all__.append("Distributed")


class Drag(Kind):
    """load of a fluid on a cable, beam or plate: drag, added mass, buoyancy

    on: the cable, ANCF beam or plate
    normal: viscous drag normal to the line, force per length and velocity; plates: normal to the plate, per
        area. This and the three other coefficients may be expressions of t and of the motion, the same for the
        whole body [N s/m2]; default 0
    tangential: viscous drag along the line or in the plane of the plate [N s/m2]; default 0
    density: fluid density, for drag coefficients, added mass and buoyancy [kg/m3]; default 1.2
    diameter: diameter exposed to the flow; plates: width, for the added mass [m]; default 0
    normal_coefficient: drag coefficient C of density/2 C diameter v^2 normal to the line; plates: of density/2
        C v^2 per area, default 0; default 1.2
    tangential_coefficient: drag coefficient along the line or in the plane of the plate; default 0
    added_mass_coefficient: mass that moves with the line across it, as a part of density pi/4 diameter^2 per
        length; plates: along the normal, of density pi/4 diameter per area; default 0
    buoyancy: weight of the displaced fluid, of a circle of that diameter or of the thickness of the plate;
        default false
    wind: fluid velocity [m/s]; default [0, 0, 0]
    level: height of the free surface, from the origin against gravity; default: no surface [m]
    """

    _category, _type = 'force', 'drag'

    def __init__(
        self,
        *,
        on: Any, normal: Any = None, tangential: Any = None, density: Any = None, diameter: Any = None,
        normal_coefficient: Any = None, tangential_coefficient: Any = None, added_mass_coefficient: Any =
        None, buoyancy: Any = None, wind: Any = None, level: Any = None,
    ):
        super().__init__(locals())


__all__.append("Drag")


class Pressure(Kind):
    """pressure on a plate, function of time and place

    on: the plate
    pressure: pressure; above 0 it pushes along first edge x second edge [N/m2]
    follower: it stays normal to the deformed surface and acts on its area; false: force per reference area
        along the normal at the start, with the pressure there; default true
    """

    _category, _type = 'force', 'pressure'

    def __init__(
        self,
        *,
        on: Any, pressure: Any, follower: Any = None,
    ):
        super().__init__(locals())


__all__.append("Pressure")


class Reeving(Kind):
    """elastic rope through pulleys, with or without mass: free or with friction, on drums, or closed as a belt

    stiffness: axial stiffness EA [N]
    from_: first end; without it, the first pulley is a drum on which the rope is wound
    to: last end; without it, the last pulley is a drum
    pulleys: centers of the pulleys, in the order in which the rope runs over them
    radius: radius of each pulley, to the middle of the rope; a list of one number: of all [m]
    turn: how the rope runs around each pulley, seen against the axis: 1 counterclockwise, -1 clockwise; default
        [1]
    closed: a belt: a loop over the pulleys, without ends; default false
    stiffness_damping: damping: the tension is EA (strain + this time * rate of strain) [s]; default 0
    length: unstretched length of all that is not on a drum; default: as it is at the start [m]
    tension: tension at the start, instead of a length [N]
    feed: length fed in at the first end (taken in if negative), function of t [m]
    no_slip: bodies on whose pulleys the rope cannot slip: it turns them
    friction: coefficient of friction on each pulley; a list of one number: on all. V belts: divided by the sine
        of half the angle of the groove; default [0]
    slip: creep speed: friction increases with x/sqrt(x^2 + slip^2) of the speed x of slip [m/s]; default 1e-3
    mass_per_length: mass of the rope per unstretched length: its inertia and weight, also of what runs over
        pulleys and is wound on drums. Without it the rope is weightless; friction, and in space no_slip and
        drums, need it [kg/m]
    wound: with mass_per_length: length wound on each drum at the start; its mass adds to that of the drum [m];
        default [0]
    axis: initial axis of all pulleys, global; spans may be inclined to the plane normal to it; default [0, 0,
        1]
    frame: body that carries the axis, and against which pulleys turn; default ground
    """

    _category, _type = 'force', 'reeving'

    def __init__(
        self,
        *,
        stiffness: Any, from_: Any = None, to: Any = None, pulleys: Any = None, radius: Any = None, turn:
        Any = None, closed: Any = None, stiffness_damping: Any = None, length: Any = None, tension: Any =
        None, feed: Any = None, no_slip: Any = None, friction: Any = None, slip: Any = None,
        mass_per_length: Any = None, wound: Any = None, axis: Any = None, frame: Any = None,
    ):
        super().__init__(locals())


__all__.append("Reeving")


class Actuator(Kind):
    """moment or force on a joint by a command, with a limit or a speed-torque curve

    joint: joint that it drives: a moment about its axis, or a force along it, on its second body and the
        opposite one on the first
    command: wanted moment (N m) or force (N)
    coordinate: moment or force, on a joint with both; default any
    limit: largest size of it; a speed-torque curve is a table of the speed: curve(abs(hinge.rate)). Default:
        none
    """

    _category, _type = 'force', 'actuator'

    def __init__(
        self,
        *,
        joint: Any, command: Any, coordinate: Any = None, limit: Any = None,
    ):
        super().__init__(locals())


__all__.append("Actuator")


class DcMotor(Kind):
    """direct-current motor with a gear on a joint: resistance, inductance, back-emf

    joint: joint that it drives: a moment about its axis, or a force along it, on its second body and the
        opposite one on the first
    voltage: at the terminals [V]
    resistance: of the winding [ohm]
    torque_constant: moment of the rotor for 1 A [N m/A]
    coordinate: moment or force, on a joint with both; default any
    inductance: of the winding; with it the current is a state [H]; default 0
    back_emf_constant: voltage induced at 1 rad/s of the rotor; default: torque_constant [V s]
    friction: viscous friction of the rotor [N m s]; default 0
    ratio: gear: revolutions of the rotor for one of the joint, or rad for 1 m. The inertia of the rotor is a
        joint of type rotor; default 1
    current: at the start, with an inductance [A]; default 0
    """

    _category, _type = 'force', 'dc-motor'

    def __init__(
        self,
        *,
        joint: Any, voltage: Any, resistance: Any, torque_constant: Any, coordinate: Any = None, inductance:
        Any = None, back_emf_constant: Any = None, friction: Any = None, ratio: Any = None, current: Any =
        None,
    ):
        super().__init__(locals())


__all__.append("DcMotor")


class HydraulicCylinder(Kind):
    """two chambers with compressible fluid and a valve on the travel of a joint

    joint: joint along whose travel it acts; pressure in chamber a increases the travel
    area: of the piston in chamber a [m2]
    volume_a: of chamber a at the start, with its line; a run in which it becomes zero ends: a stop limits the
        travel [m3]
    volume_b: of chamber b at the start, with its line [m3]
    rod_area: of the piston in chamber b, without the rod; default: area [m2]
    bulk_modulus: of the fluid [Pa]; default 1.4e9
    valve: opening from -1 to 1: positive joins a with the supply and b with the tank; larger ones count as 1;
        default 0
    flow_coefficient: of an edge of the open valve: flow over the root of the pressure difference
        [m3/s/sqrt(Pa)]; default 0
    supply: supply pressure [Pa]; default 0
    tank: pressure of the tank [Pa]; default 0
    leakage: past the piston: flow over the pressure difference [m3/s/Pa]; default 0
    laminar_pressure: difference of pressures below which the flow through the valve is proportional to it [Pa];
        default 1e3
    pressure_a: at the start [Pa]; default 0
    pressure_b: at the start [Pa]; default 0
    """

    _category, _type = 'force', 'hydraulic-cylinder'

    def __init__(
        self,
        *,
        joint: Any, area: Any, volume_a: Any, volume_b: Any, rod_area: Any = None, bulk_modulus: Any = None,
        valve: Any = None, flow_coefficient: Any = None, supply: Any = None, tank: Any = None, leakage: Any
        = None, laminar_pressure: Any = None, pressure_a: Any = None, pressure_b: Any = None,
    ):
        super().__init__(locals())


__all__.append("HydraulicCylinder")


class SpheresSurface(Kind):
    """spheres along the axis of a cable or beam

    on: cable or beam
    count: number of spheres along the whole line, including both ends
    spacing: largest distance between spheres, instead of count; default without count: the radius [m]
    radius: radius of the spheres; default: radius of a round section, half the smaller edge of others [m]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'spheres'

    def __init__(
        self,
        *,
        on: Any, count: Any = None, spacing: Any = None, radius: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("SpheresSurface")


class GridSurface(Kind):
    """grid of spheres on a plate

    on: plate
    count: numbers of spheres along the two edges, including the corners; default: 4 per element edge
    spacing: largest distance between spheres, instead of count [m]
    radius: radius of the spheres; default: half the thickness [m]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'grid'

    def __init__(
        self,
        *,
        on: Any, count: Any = None, spacing: Any = None, radius: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("GridSurface")


class SphereSurface(Kind):
    """a single sphere on a body or the ground

    on: body, or a point of one; default ground
    at: center, in body axes [m]; default [0, 0, 0]
    radius: radius; default: that of the shape of the body [m]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'sphere'

    def __init__(
        self,
        *,
        on: Any = None, at: Any = None, radius: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("SphereSurface")


class CapsuleSurface(Kind):
    """cylinder with hemispherical ends

    on: rigid body, or the ground; default ground
    from_: first end of the axis, the center of a half sphere, in the axes of the body [m]
    to: second end of the reference line [m]
    radius: radius; default of the axis and the radius: the cylindrical shape of the body [m]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'capsule'

    def __init__(
        self,
        *,
        on: Any = None, from_: Any = None, to: Any = None, radius: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("CapsuleSurface")


class CylinderSurface(Kind):
    """cylinder with flat ends

    on: rigid body, or the ground; default ground
    from_: first end of the axis, in the axes of the body [m]
    to: second end of the reference line [m]
    radius: radius; default of the axis and the radius: the cylindrical shape of the body [m]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'cylinder'

    def __init__(
        self,
        *,
        on: Any = None, from_: Any = None, to: Any = None, radius: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("CylinderSurface")


class BoxSurface(Kind):
    """box

    on: rigid body, or the ground; default ground
    size: edge lengths; default: those of the box shape of the body [m]
    at: center, in body axes [m]; default [0, 0, 0]
    rotation: orientation of the edges, in body axes; default [1, 0, 0, 0]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'box'

    def __init__(
        self,
        *,
        on: Any = None, size: Any = None, at: Any = None, rotation: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("BoxSurface")


class PlaneSurface(Kind):
    """half-space bounded by a plane

    normal: outward normal, in body axes
    on: rigid body, or the ground; default ground
    at: a point of the plane, in body axes [m]; default [0, 0, 0]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'plane'

    def __init__(
        self,
        *,
        normal: Any, on: Any = None, at: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("PlaneSurface")


class EllipsoidSurface(Kind):
    """ellipsoid

    on: rigid body, or the ground; default ground
    radii: semi-axes; default: those of the ellipsoid shape of the body. For the stiffness of Hertz the smallest
        counts, wherever it touches: with a stiffness that changed from place to place, energy would not be
        conserved [m]
    at: center, in body axes [m]; default [0, 0, 0]
    rotation: orientation of the semi-axes, in body axes; default [1, 0, 0, 0]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'ellipsoid'

    def __init__(
        self,
        *,
        on: Any = None, radii: Any = None, at: Any = None, rotation: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("EllipsoidSurface")


class ConvexSurface(Kind):
    """convex hull of points

    on: rigid body, or the ground; default ground
    points: points whose convex hull it is, in body axes, or the name of a CSV, OBJ or STL file with them,
        relative to the folder of the model; default: those of the convex shape of the body [m]
    material: material for the contact stiffness; default: that of the body, or rigid if the body has none
    """

    _category, _type = 'surface', 'convex'

    def __init__(
        self,
        *,
        on: Any = None, points: Any = None, material: Any = None,
    ):
        super().__init__(locals())


__all__.append("ConvexSurface")


class Contact(Kind):
    """contact between surfaces

    between: surfaces that can touch each other; default: all
    against: the surfaces of 'between' can touch these, but not each other
    self_: self-contact of flexible bodies, except between neighboring elements; default false
    method: penalty: contact forces from overlap, any integrator; formula: as penalty, with 'force' as a formula
        of depth and rate; dvi: complementarity of velocities and impulses, symplectic-euler only; default
        penalty
    friction: coefficient of Coulomb friction; default 0
    restitution: coefficient of restitution: separation speed over approach speed; default: 1 with penalty, 0
        with dvi. Penalty: above 0, as no damping of this law stops a body without rebound
    damping_law: penalty: how the damping factor c follows from 'restitution' e at the 'impact_speed' v. exact:
        the rebound is e v; the others as published, for e near 1 (hunt-crossley: 3 (1 - e)/(2 v), lankarani-
        nikravesh: 3 (1 - e^2)/(4 v)) or for all e (flores: 8 (1 - e)/(5 e v)), with a rebound of their own;
        default exact
    force: formula: force along the normal as a formula of depth (overlap, m), rate (its rate, m/s, positive as
        the surfaces approach) and parameters, such as 2e6*depth^1.5*(1 + 0.1*rate); below zero it is zero, as
        surfaces do not pull. What it is at rate 0 is stored energy, the rest damping [N]
    points: contact points of the spheres of one element with another element or solid: only the deepest, or
        all; default: the deepest of two elements of cables and beams, all in other pairs
    exact: cables and beams: closest points of the center lines, refined from the deepest spheres; plates:
        smooth middle surface against the spheres of the other body; default false
    impact_speed: penalty: approach speed at which the damping gives this restitution [m/s]
    damping: penalty: damping factor c of Hunt and Crossley, F = K d^exponent (1 + c d') [s/m]; default 0
    stiffness: penalty: K of F = K d^exponent; default: by Hertz from materials and radii [N/m^exponent]
    exponent: penalty: exponent of the overlap, at least 1 (below it the stiffness at first touch would be
        infinite); 1.5 is Hertz; other values need 'stiffness'; default 1.5
    young: penalty: Young's modulus of both surfaces, instead of those of their materials [Pa]
    poisson: Poisson's ratio for 'young'; default 0.3
    slip: penalty, formula: sliding speed at which friction reaches its full value (regularization) [m/s];
        default 1e-3
    activation: dvi: gap below which a contact is active; default: half the smallest radius [m]
    """

    _category, _type = 'contact', 'contact'

    def __init__(
        self,
        *,
        between: Any = None, against: Any = None, self_: Any = None, method: Any = None, friction: Any =
        None, restitution: Any = None, damping_law: Any = None, force: Any = None, points: Any = None,
        exact: Any = None, impact_speed: Any = None, damping: Any = None, stiffness: Any = None, exponent:
        Any = None, young: Any = None, poisson: Any = None, slip: Any = None, activation: Any = None,
    ):
        super().__init__(locals())


__all__.append("Contact")


class NoneContact(Kind):
    """excluded contact pairs

    between: surfaces without contact between them
    against: no contact between the surfaces of 'between' and these; those of 'between' can touch each other
    """

    _category, _type = 'contact', 'none'

    def __init__(
        self,
        *,
        between: Any, against: Any = None,
    ):
        super().__init__(locals())


__all__.append("NoneContact")


class Output(Kind):
    """a recorded quantity

    point: position, velocity and acceleration of a marker
    orientation: orientation of the frame of a marker: unit quaternion, rotation vector and Euler angles;
        angular velocity and acceleration. Planar models: angle, counting turns, its rate and acceleration; of
        cables, those of the tangent
    sequence: axes of the Euler angles of an orientation, each turned by the angles before it (intrinsic); where
        the second angle makes the first and third axis parallel, the third angle is 0; default xyz
    relative: position, velocity and acceleration of a marker in the moving axes of 'relative_to' (global axes
        where that has no frame)
    relative_to: orientation, relative: the marker in whose axes the motion is seen; default of an orientation:
        the ground
    reaction: force and moment that a joint exerts on its second body; of a gear, rack, tie or constraint all of
        it on the second body of the last joint it names, of a rope at its last end
    frame: axes of a reaction: global, or those of the joint (z is its axis), fixed to its first body; default
        global
    force: force and moment that an entry of 'forces', of any type, exerts on a body, global components. The
        moment is about the marker of the force on that body, or of its joint; of loads along a body, ropes and
        other bodies about the first point of the body
    on: force: the body on which it acts; default: that of its second marker, of its only one, or the second one
        of its joint
    lock: what holds a coordinate of a joint that events lock: is it locked (1 or 0), and the moment about the
        axis or the force along it that the lock exerts on the second body. Columns: angle_locked, moment;
        travel_locked, force, of the coordinates that events lock
    spring: length and force of a spring, angle and moment of a torsion-spring, length and tensions of a
        reeving. Columns: length, force; angle, moment; of a reeving with several segments length, force1,
        force2, ..., one for each, in the order in which the rope runs
    joint: angle and travel of a joint from the start, with their rates; angles count turns. Columns, of those
        that the joint has: angle, angle_rate, travel, travel_rate
    resultant: stress resultants and strains of a flexible body at a marker, balanced with the forces between
        the nodes of lines, their weight, inertia and loads along them. Expressions, and lines that something
        touches, do not see what acts within an element of length h: there a load of q per meter makes moments
        at nodes too large by q h^2/12 and shear forces at the ends off by q h/2
    about: resultant, stress: of a cable in space, which has no section axes, the global direction about which
        moments and curvatures are positive (components); shear forces are then along about x tangent, and top
        is that side. Default: magnitudes
    stress: stress on the surface of a cable, beam or plate at a marker, from its stress resultants and section:
        components, von Mises, principal stresses. Columns: sigma, tau, von_mises, principal_1 to principal_3
        and the place y, z on the section; of a plate sigma_xx, sigma_yy, sigma_xy, von_mises, principal_1 to
        principal_3 and the place z
    fiber: where on the surface: where the von Mises stress is largest; top and bottom: y = height/2 and
        -height/2 of a section, the sides of a plate along and against its normal; left and right: z = -width/2
        and width/2; default most
    contact: total contact force on the first body from the second, or from all bodies if none is given; number
        of contacts and largest overlap
    expression: value of an expression of t and of the motion; variables, inputs, controllers, and actuators and
        motors under their names (columns such as force, command, current), are recorded without being asked for
    unit: expression: unit of its value, for tables and plots
    """

    _category, _type = 'output', 'output'

    def __init__(
        self,
        *,
        point: Any = None, orientation: Any = None, sequence: Any = None, relative: Any = None, relative_to:
        Any = None, reaction: Any = None, frame: Any = None, force: Any = None, on: Any = None, lock: Any =
        None, spring: Any = None, joint: Any = None, resultant: Any = None, about: Any = None, stress: Any =
        None, fiber: Any = None, contact: Any = None, expression: Any = None, unit: Any = None,
    ):
        super().__init__(locals())


__all__.append("Output")


class Table(Kind):
    """tabulated function of one or two arguments, used in expressions as name(t) or name(a, b)

    x: arguments, strictly increasing
    y: values, as many as arguments; with 'z' the second arguments, strictly increasing
    z: values of a function of two arguments, name(x, y): a row for each x with a value for each y
    file: instead of x, y and z: CSV file that contains them, relative to the folder of the model
    form: of the file: columns of arguments and values, or a grid: y in the first line, x in the first column,
        values of name(x, y) in the others, anything in the corner; default columns
    argument: column of the arguments: its name in the first line, or its number; default: the first
    column: column of the values, likewise; default: the second
    interpolation: interpolation between the points: straight (bilinear on a grid), with kinks at the points, or
        natural splines with continuous second derivatives; default cubic
    extrapolation: outside the points: the end values, straight lines with the slopes at the ends, or none: a
        run that gets there stops; default hold
    """

    _category, _type = 'table', 'table'

    def __init__(
        self,
        *,
        x: Any = None, y: Any = None, z: Any = None, file: Any = None, form: Any = None, argument: Any =
        None, column: Any = None, interpolation: Any = None, extrapolation: Any = None,
    ):
        super().__init__(locals())


__all__.append("Table")


class Variable(Kind):
    """named formula, solution of a differential equation, or number that events change, used in expressions by its name

    value: its formula, an expression of t and of the motion
    rate: instead of 'value': its derivative in time, an expression of t and of the motion
    start: value at the start, with 'rate'; default 0
    held: instead of 'value': a number that events change (`set`) and that is constant between them; its value
        at the start
    unit: unit, for outputs
    """

    _category, _type = 'variable', 'variable'

    def __init__(
        self,
        *,
        value: Any = None, rate: Any = None, start: Any = None, held: Any = None, unit: Any = None,
    ):
        super().__init__(locals())


__all__.append("Variable")


class Input(Kind):
    """value set by a program while the simulation runs (sn_simulation_set_input), used in expressions by its name

    default: value while no program sets another: a number or a function of t, such as a table: name(t); `--set
        NAME=VALUE` on the command line replaces it; default 0
    file: instead of 'default': CSV file with its values over time, relative to the folder of the model
    time: column of the times [s]: its name in the first line, or its number; default: the first
    column: column of the values, likewise; default: the second
    interpolation: between the times of the file, as for tables; default linear
    extrapolation: before and after the times of the file, as for tables; default hold
    range: smallest and largest value that a program may set; a constant default and the values of a file have
        to be within it too
    unit: unit
    of: expressions of t and of the motion: arguments of the function that a program may give in place of a
        value (sn_set_input_function)
    """

    _category, _type = 'input', 'input'

    def __init__(
        self,
        *,
        default: Any = None, file: Any = None, time: Any = None, column: Any = None, interpolation: Any =
        None, extrapolation: Any = None, range: Any = None, unit: Any = None, of: Any = None,
    ):
        super().__init__(locals())


__all__.append("Input")


class Pid(Kind):
    """proportional, integral and derivative control, with limits

    measure: controlled quantity
    setpoint: value it should have; default 0
    kp: gain of the error; default 0
    ki: gain of its integral over time; default 0
    kd: gain of its rate; default 0
    rate: measured rate of the controlled quantity: kd then acts on -rate, without a filter
    filter_time: time constant of the filter of the derivative; needed by a continuous controller with kd and
        without rate, where the filter begins with 0: an error at the start is a jump [s]; default 0
    derivative_of: measure: jumps of the setpoint do not reach the derivative; default error
    limits: smallest and largest output; default: none
    anti_windup: what happens to the integral while a limit acts: it follows the limited output with
        tracking_time, or (sampled) stands still, or nothing; default back-calculation
    tracking_time: of back-calculation; default: sqrt(kd/ki), without kd: kp/ki [s]
    start: integral (ki times it) at the start; default 0
    period: sampled: evaluated at the multiples of this time, which are ends of steps, and held between;
        default: continuous [s]
    delay: sampled: time from an instant until its output acts, at most the period [s]; default 0
    unit: unit of its outputs
    """

    _category, _type = 'controller', 'pid'

    def __init__(
        self,
        *,
        measure: Any, setpoint: Any = None, kp: Any = None, ki: Any = None, kd: Any = None, rate: Any =
        None, filter_time: Any = None, derivative_of: Any = None, limits: Any = None, anti_windup: Any =
        None, tracking_time: Any = None, start: Any = None, period: Any = None, delay: Any = None, unit: Any
        = None,
    ):
        super().__init__(locals())


__all__.append("Pid")


class StateSpace(Kind):
    """linear controller by its matrices: x' = A x + B u, y = C x + D u

    inputs: u: one expression for each
    A: states by states; without it the controller has no states. CSV files are named relative to the folder of
        the model; names of rows and columns, as sinew export --matrix writes them, are skipped
    B: states by inputs
    C: outputs by states
    D: outputs by inputs; default: zeros
    start: states at the start; default: zeros
    discretization: with a period, required: none (the coefficients are those of the sampled system: next x = A
        x + B u, a function of z) or the rule that makes them of the continuous one
    period: sampled: evaluated at the multiples of this time, which are ends of steps, and held between;
        default: continuous [s]
    delay: sampled: time from an instant until its output acts, at most the period [s]; default 0
    unit: unit of its outputs
    """

    _category, _type = 'controller', 'state-space'

    def __init__(
        self,
        *,
        inputs: Any, A: Any = None, B: Any = None, C: Any = None, D: Any = None, start: Any = None,
        discretization: Any = None, period: Any = None, delay: Any = None, unit: Any = None,
    ):
        super().__init__(locals())


__all__.append("StateSpace")


class TransferFunction(Kind):
    """linear controller by numerator and denominator, functions of s or of z

    input: u
    numerator: coefficients, the highest power first
    denominator: likewise; at least as many as the numerator
    discretization: with a period, required: none (the coefficients are those of the sampled system: next x = A
        x + B u, a function of z) or the rule that makes them of the continuous one
    period: sampled: evaluated at the multiples of this time, which are ends of steps, and held between;
        default: continuous [s]
    delay: sampled: time from an instant until its output acts, at most the period [s]; default 0
    unit: unit of its outputs
    """

    _category, _type = 'controller', 'transfer-function'

    def __init__(
        self,
        *,
        input: Any, numerator: Any, denominator: Any, discretization: Any = None, period: Any = None, delay:
        Any = None, unit: Any = None,
    ):
        super().__init__(locals())


__all__.append("TransferFunction")


class Event(Kind):
    """when an expression crosses zero: change variables, lock or release joints, end the stage or the run; the time is recorded, and programs are told (`sn_on_event`)

    when: expression of t and of the motion; the event happens where it crosses zero
    direction: which crossings count; default both
    if_: expression that has to be positive there, such as `u > 0`; otherwise nothing happens; default: always
    once: only the first time; default false
    tolerance: of its time; default: 1e-9 of the stage, with tolerances of the integrator below 1e-7 a hundredth
        of them [s]
    set: new values of variables that are `held` or have a `rate`; all expressions are evaluated before the
        first value changes
    lock: joint, or list of joints, whose coordinate stays as it is from then on; velocities change by an
        impulse
    release: joint, or list of joints, free from then on
    locked_at_start: with 'release': are these joints locked at the start? default: those that no event locks
    next_stage: the stage ends; default false
    stop: the run ends; default false
    """

    _category, _type = 'event', 'event'

    def __init__(
        self,
        *,
        when: Any, direction: Any = None, if_: Any = None, once: Any = None, tolerance: Any = None, set: Any
        = None, lock: Any = None, release: Any = None, locked_at_start: Any = None, next_stage: Any = None,
        stop: Any = None,
    ):
        super().__init__(locals())


__all__.append("Event")


class Auto(Kind):
    """automatic selection of an integrator for the model, with the reason in the summary

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    """

    _category, _type = 'integrator', 'auto'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None,
    ):
        super().__init__(locals())


__all__.append("Auto")


class Newmark(Kind):
    """Newmark's method at index 3 (first order)

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; broyden: matrix kept and updated by Broyden's method; schur: without stiffness and damping,
        for models that are not stiff; default modified
    force_residual: Newton's method stops when the norm of the residual of the equations of motion is below this
        value; default: it stops by the estimated remaining error, or by constraint_residual if given [N]
    constraint_residual: with force_residual: limit for the norm of the constraints, at the level that the
        integrator enforces; default: the value of force_residual
    delta: numerical damping: gamma = 1/2 + delta, beta = (gamma + 1/2)^2/4; 0 is unstable with constraints;
        default 0.05
    """

    _category, _type = 'integrator', 'newmark'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, force_residual: Any = None, constraint_residual: Any = None,
        delta: Any = None,
    ):
        super().__init__(locals())


__all__.append("Newmark")


class HhtI3(Kind):
    """Hilber-Hughes-Taylor at index 3 (second order)

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; broyden: matrix kept and updated by Broyden's method; schur: without stiffness and damping,
        for models that are not stiff; default modified
    force_residual: Newton's method stops when the norm of the residual of the equations of motion is below this
        value; default: it stops by the estimated remaining error, or by constraint_residual if given [N]
    constraint_residual: with force_residual: limit for the norm of the constraints, at the level that the
        integrator enforces; default: the value of force_residual
    alpha: numerical damping: gamma = 1/2 - alpha, beta = (1 - alpha)^2/4; default -0.05
    control: step size control; steady: keeps the step while the tolerance is met; hussein: as published by
        Hussein, Negrut and Shabana, 0.9 h Theta^(-1/6), Theta = (error/tolerance)^2, after every step; default
        steady
    """

    _category, _type = 'integrator', 'hht-i3'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, force_residual: Any = None, constraint_residual: Any = None,
        alpha: Any = None, control: Any = None,
    ):
        super().__init__(locals())


__all__.append("HhtI3")


class HhtAdd(Kind):
    """Hilber-Hughes-Taylor with additive reactions, satisfies the velocity constraints (second order)

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; default modified
    alpha: numerical damping: gamma = 1/2 - alpha, beta = (1 - alpha)^2/4; default -0.05
    """

    _category, _type = 'integrator', 'hht-add'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, alpha: Any = None,
    ):
        super().__init__(locals())


__all__.append("HhtAdd")


class HhtSi2(Kind):
    """Hilber-Hughes-Taylor at stabilized index 2, satisfies the velocity constraints (second order)

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; default modified
    alpha: numerical damping: gamma = 1/2 - alpha, beta = (1 - alpha)^2/4; default -0.05
    """

    _category, _type = 'integrator', 'hht-si2'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, alpha: Any = None,
    ):
        super().__init__(locals())


__all__.append("HhtSi2")


class Nstiff(Kind):
    """BDF of second order at index 3

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; broyden: matrix kept and updated by Broyden's method; schur: without stiffness and damping,
        for models that are not stiff; default modified
    force_residual: Newton's method stops when the norm of the residual of the equations of motion is below this
        value; default: it stops by the estimated remaining error, or by constraint_residual if given [N]
    constraint_residual: with force_residual: limit for the norm of the constraints, at the level that the
        integrator enforces; default: the value of force_residual
    """

    _category, _type = 'integrator', 'nstiff'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, force_residual: Any = None, constraint_residual: Any = None,
    ):
        super().__init__(locals())


__all__.append("Nstiff")


class NstiffSi2(Kind):
    """BDF of second order at stabilized index 2, satisfies position and velocity constraints

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; default modified
    """

    _category, _type = 'integrator', 'nstiff-si2'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None,
    ):
        super().__init__(locals())


__all__.append("NstiffSi2")


class Gssss(Kind):
    """single-step methods of second order, families U0 and V0, at index 3, 2 or 1, including generalized alpha

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; broyden: matrix kept and updated by Broyden's method; schur: without stiffness and damping,
        for models that are not stiff; default modified
    force_residual: Newton's method stops when the norm of the residual of the equations of motion is below this
        value; default: it stops by the estimated remaining error, or by constraint_residual if given [N]
    constraint_residual: with force_residual: limit for the norm of the constraints, at the level that the
        integrator enforces; default: the value of force_residual
    scheme: member by name: newmark U0(1,1,0), midpoint U0(1,1,1), midpoint-v0 V0(1,1,0); with r = rho_infinity
        generalized-alpha U0(r,r,r), wbz U0(r,r,0), hht U0(r,r,(1-r)/(2r)), optimal U0(r,1,r) or V0(r,1,r);
        default generalized-alpha
    rho_infinity: spectral radius at infinite frequency: 1 no damping, 0 full damping; default 0.8
    rho: member by parameters, instead of scheme: [rho_min, rho_max, rho_s], the two principal roots and the
        spurious root at infinite frequency
    family: family for rho and optimal: no overshoot in positions (u0) or in velocities (v0); default u0
    index: level at which constraints are enforced: 3 positions, 2 velocities, 1 accelerations; default 3
    form: unknowns of the linear systems: accelerations, velocities or positions; the method is the same;
        default a
    stabilize: constraint stabilization: baumgarte (index 1), or projection of positions, velocities and
        accelerations after every step; default none
    alpha: baumgarte: alpha of Phi'' + 2 alpha/(l5 h) Phi' + beta/(l3 h^2) Phi = 0; default 1
    beta: baumgarte: beta of the same equation; default 1
    projections: projection: maximum number of corrections at each level; 0: no limit; default 0
    conserve: symplectic: only members without damping, fixed steps (default member: midpoint-v0); energy-
        momentum: midpoint-v0 or another V0(1,1,s), which are equivalent, at index 3 with discrete gradients
        that conserve energy and momentum to rounding (not to rounding with projection); default none
    """

    _category, _type = 'integrator', 'gssss'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, force_residual: Any = None, constraint_residual: Any = None,
        scheme: Any = None, rho_infinity: Any = None, rho: Any = None, family: Any = None, index: Any =
        None, form: Any = None, stabilize: Any = None, alpha: Any = None, beta: Any = None, projections: Any
        = None, conserve: Any = None,
    ):
        super().__init__(locals())


__all__.append("Gssss")


class Ida(Kind):
    """BDF of variable order (SUNDIALS IDA) on the stabilized index-1 form

    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    order: maximum order; use 2 for lightly damped oscillations, where higher orders are unstable; default 5
    """

    _category, _type = 'integrator', 'ida'

    def __init__(
        self,
        *,
        tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any = None, horizon: Any
        = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None, order: Any = None,
    ):
        super().__init__(locals())


__all__.append("Ida")


class Adams(Kind):
    """explicit Adams methods of variable order (SUNDIALS CVODE), with constraints enforced at every evaluation

    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    order: maximum order; default 12
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    """

    _category, _type = 'integrator', 'adams'

    def __init__(
        self,
        *,
        tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any = None, horizon: Any
        = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None, order: Any = None,
        solver: Any = None,
    ):
        super().__init__(locals())


__all__.append("Adams")


class Erk(Kind):
    """explicit Runge-Kutta 5(4), 4(3) or 3(2) at index 1 with Baumgarte's stabilization

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    order: 5: Dormand-Prince 5(4); 4: the classical method with an estimate of order 3, whose steps may be 2.8
        times as long where vibrations limit them; 3: Bogacki-Shampine 3(2); auto: 5, and 4 while its longer
        steps get farther with the same work; 5 with a fixed step; default auto
    alpha: Baumgarte stabilization: alpha of Phi'' + 2 alpha Phi' + beta^2 Phi = 0; the step stays below 3/alpha
        [1/s]; default 20
    beta: Baumgarte stabilization: beta of the same equation [1/s]; default 20
    """

    _category, _type = 'integrator', 'erk'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, order: Any = None, alpha: Any = None, beta: Any = None,
    ):
        super().__init__(locals())


__all__.append("Erk")


class TrBdf2(Kind):
    """trapezoidal rule and BDF2 combined (SUNDIALS ARKODE) at index 1 with Baumgarte's stabilization

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    alpha: Baumgarte stabilization: alpha of Phi'' + 2 alpha Phi' + beta^2 Phi = 0 [1/s]; default 20
    beta: Baumgarte stabilization: beta of the same equation [1/s]; default 20
    """

    _category, _type = 'integrator', 'tr-bdf2'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, alpha: Any = None, beta: Any = None,
    ):
        super().__init__(locals())


__all__.append("TrBdf2")


class SymplecticEuler(Kind):
    """symplectic Euler, fixed step, constraints on velocities (first order); required for contacts of method dvi

    step: fixed step [s]
    stabilize: gap: position errors are corrected in the next step; none: they drift; default gap
    elastic: implicit: stiffness and damping are part of the matrix, so that high frequencies are damped and do
        not limit the step; default explicit
    rho: implicit: spectral radius at high frequencies; 1: no numerical damping, 0: maximum damping; default 0.5
    contact_solver: solver for contacts of method dvi; apgd: accelerated projected gradient descent; lemke and
        interior-point use dense matrices, for hundreds of connected contacts, not for thousands; default apgd
    contact_facets: lemke: number of edges of the friction pyramids that replace the cones; friction is up to 1
        - cos(pi/edges) too small; default 8
    friction_model: contacts of method dvi: Coulomb's law, or its convex relaxation, in which sliding bodies
        lift off at the friction coefficient times the sliding speed; default coulomb
    contact_tolerance: largest allowed residual of the complementarity problem, as a velocity [m/s]; default
        1e-6
    contact_iterations: maximum number of iterations of the contact solver in a step; steps that miss the
        tolerance are counted; not used by lemke. Groups of at most 40 contacts that apgd does not solve are
        solved by interior-point; default 1000
    contact_limit: residual above which the run ends [m/s]; default 0.05
    rebound_speed: approach speed below which contacts do not rebound [m/s]; default 0.01
    impact: closed contacts during an impact: they react at once (simultaneous) or one after the other
        (sequential, Newton's cradle); default simultaneous
    recovery_speed: maximum speed at which overlaps are corrected, in positions only; velocities do not change
        [m/s]; default 0.5
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    """

    _category, _type = 'integrator', 'symplectic-euler'

    def __init__(
        self,
        *,
        step: Any = None, stabilize: Any = None, elastic: Any = None, rho: Any = None, contact_solver: Any =
        None, contact_facets: Any = None, friction_model: Any = None, contact_tolerance: Any = None,
        contact_iterations: Any = None, contact_limit: Any = None, rebound_speed: Any = None, impact: Any =
        None, recovery_speed: Any = None, solver: Any = None,
    ):
        super().__init__(locals())


__all__.append("SymplecticEuler")


class Radau5(Kind):
    """Radau IIA with three stages at index 3 (fifth order)

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; default modified
    project: project velocities onto the constraints after each step (one additional linear solution); default
        true
    """

    _category, _type = 'integrator', 'radau5'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, project: Any = None,
    ):
        super().__init__(locals())


__all__.append("Radau5")


class Radau(Kind):
    """Radau IIA with three, five or seven stages at index 3 (orders 5, 9, 13)

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; default modified
    project: project velocities onto the constraints after each step (one additional linear solution); default
        true
    order: order; auto: variable; 5 with a fixed step; default auto
    """

    _category, _type = 'integrator', 'radau'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, project: Any = None, order: Any = None,
    ):
        super().__init__(locals())


__all__.append("Radau")


class Gam(Kind):
    """generalized Adams methods on blocks at index 3 (orders 3, 5, 7, 9)

    step: fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple
        [s]
    tolerance: tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m
        its size; ignored with a fixed step; default 1e-5
    relative: relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance
    absolute: absolute tolerance; default: tolerance times u
    bounds: quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error
        of each step, as in most papers (step); default with penalty contact and for newmark: step; default run
    horizon: bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis,
        less if damping or drivers make errors decay [s]
    initial_step: first adaptive step; shorter where its error is too large; default: automatic [s]
    min_step: smallest step, at most max_step; a fixed step must not be below it if it is given [s]; default
        1e-12
    max_step: largest step; a fixed step must not be above it if it is given [s]; default 1e30
    solver: linear solver; auto: ldl, or klu if the tangents are far from symmetric; default auto
    newton: Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every
        iteration; default modified
    project: project velocities onto the constraints after each step (one additional linear solution); default
        true
    order: order; auto: variable; 3 with a fixed step. A step is a block of 4, 6, 8 or 9 equal parts; default
        auto
    """

    _category, _type = 'integrator', 'gam'

    def __init__(
        self,
        *,
        step: Any = None, tolerance: Any = None, relative: Any = None, absolute: Any = None, bounds: Any =
        None, horizon: Any = None, initial_step: Any = None, min_step: Any = None, max_step: Any = None,
        solver: Any = None, newton: Any = None, project: Any = None, order: Any = None,
    ):
        super().__init__(locals())


__all__.append("Gam")


class Dynamics(Kind):
    """motion from initial conditions

    duration: simulated time [s]
    start: start time; default in a later stage: the end of the previous stage [s]; default 0
    output_step: interval between recorded states; default: duration/200 [s]
    integrator: integrator: a name, or {type: name, ...}; default auto
    companion: a second, finer simulation (a tenth of the tolerance; half the step beside complementarity) runs
        beside this one and estimates its error for the verdict; some seconds of work at most; false: no
        estimate; default true
    """

    _category, _type = 'analysis', 'dynamics'

    def __init__(
        self,
        *,
        duration: Any, start: Any = None, output_step: Any = None, integrator: Any = None, companion: Any =
        None,
    ):
        super().__init__(locals())


__all__.append("Dynamics")


class Statics(Kind):
    """static equilibrium

    start: time at which loads and drivers are evaluated; default in a later stage: the end of the previous
        stage [s]; default 0
    steps: initial number of load steps; the step size is adapted; default 10
    tolerance: residual forces, relative to the largest force, and last correction of the coordinates, relative
        to max(1, |q|); default 1e-8
    min_step: smallest step of the load factor; default 1e-6
    relax: continue to a stable equilibrium beyond a limit point or buckling; false: stop there; default true
    solver: linear solver; auto: klu; ldl switches to klu if the stiffness is too indefinite; default auto
    """

    _category, _type = 'analysis', 'statics'

    def __init__(
        self,
        *,
        start: Any = None, steps: Any = None, tolerance: Any = None, min_step: Any = None, relax: Any =
        None, solver: Any = None,
    ):
        super().__init__(locals())


__all__.append("Statics")


class Path(Kind):
    """equilibrium path around limit points (arc-length continuation), with its stability; the load factor begins at 0, in a later stage at 1

    largest_load: load factor at which the path ends: gravity and all prescribed forces and moments are
        multiplied by it; default 1
    smallest_load: load factor at which it ends too; default: minus the largest
    steps: smallest number of steps between the two; the size of the steps is adapted to the curvature of the
        path; default 20
    points: largest number of points; the path ends there; default 500
    tolerance: residual forces, relative to the largest force, and last correction of the coordinates, relative
        to max(1, |q|); default 1e-8
    """

    _category, _type = 'analysis', 'path'

    def __init__(
        self,
        *,
        largest_load: Any = None, smallest_load: Any = None, steps: Any = None, points: Any = None,
        tolerance: Any = None,
    ):
        super().__init__(locals())


__all__.append("Path")


class Modes(Kind):
    """natural frequencies and mode shapes about the start or the end of the previous stage, without velocities; damping ratios of the undamped modes

    count: number of modes, lowest first; default 10
    method: dense: LAPACK, all modes; lanczos: ARPACK, only the requested modes; auto: dense up to 400
        coordinates; default auto
    """

    _category, _type = 'analysis', 'modes'

    def __init__(
        self,
        *,
        count: Any = None, method: Any = None,
    ):
        super().__init__(locals())


__all__.append("Modes")


class Buckling(Kind):
    """load factors at which the structure buckles, and the shapes: gravity and all prescribed forces and moments are multiplied by the factor. The stiffness is linearized about the start, in a later stage with the loads acting completely; where the structure changes its shape before it buckles, about an equilibrium nearer to it

    count: number of load factors, the lowest positive ones; default 4
    method: dense: LAPACK; lanczos: ARPACK; auto: dense up to 400 coordinates; default auto
    """

    _category, _type = 'analysis', 'buckling'

    def __init__(
        self,
        *,
        count: Any = None, method: Any = None,
    ):
        super().__init__(locals())


__all__.append("Buckling")


class Linearize(Kind):
    """state-space matrices A, B, C, D about the start or the end of the previous stage, in independent coordinates, with the eigenvalues of A: damped frequencies, damping ratios, complex mode shapes

    rotation: angular velocity of the axes along which changes of positions and rotations are measured: that of
        a structure that rotates as a whole; zero for rotors whose shafts and bearings do not rotate [rad/s];
        default [0, 0, 0]
    """

    _category, _type = 'analysis', 'linearize'

    def __init__(
        self,
        *,
        rotation: Any = None,
    ):
        super().__init__(locals())


__all__.append("Linearize")


class Kinematics(Kind):
    """motion of a fully driven mechanism and the required forces (inverse dynamics)

    duration: simulated time [s]
    start: start time; default in a later stage: the end of the previous stage [s]; default 0
    output_step: interval between positions; default: duration/200 [s]
    """

    _category, _type = 'analysis', 'kinematics'

    def __init__(
        self,
        *,
        duration: Any, start: Any = None, output_step: Any = None,
    ):
        super().__init__(locals())


__all__.append("Kinematics")
