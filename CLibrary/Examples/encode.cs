// Encodes raw 16-bit samples in native byte order to ADTS:
//
//     encode.exe 44100 2 128000 song.raw song.aac
//
// mcs encode.cs, or a .NET project with this file.

using System;
using System.IO;
using System.Runtime.InteropServices;

/// <summary>The functions of linnet.h that this program calls.</summary>
static class Linnet {
    const string Library = "liblinnet.so.0";

    [StructLayout(LayoutKind.Sequential)]
    public struct Settings {
        public uint Size, SampleRate, Channels, Profile, RateControl, BitRate, Quality, PeakBitRate, Effort, Bandwidth, Signaling;
        public uint SilencesInvalid, LowDelay, FrameLength, NoNoiseSubstitution, DABBitRate, DABPad;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Unit {
        public IntPtr Bytes;
        public UIntPtr Size;
        public long Time;
        public uint Duration, SampleRate, Blocks;
    }

    public const uint ADTS = 1;

    [DllImport(Library)] static extern IntPtr linnet_error_text(int error);
    [DllImport(Library)] public static extern int linnet_encoder_settings_init_sized(out Settings settings, uint size, uint rate, uint channels);
    [DllImport(Library)] public static extern int linnet_encoder_create(ref Settings settings, out IntPtr encoder);
    [DllImport(Library)] public static extern void linnet_encoder_destroy(IntPtr encoder);
    [DllImport(Library)] public static extern int linnet_encoder_configuration(IntPtr encoder, out IntPtr bytes, out UIntPtr size);
    [DllImport(Library)] public static extern int linnet_encoder_write_int16(IntPtr encoder, IntPtr samples, UIntPtr frames, out UIntPtr taken);
    [DllImport(Library)] public static extern int linnet_encoder_finish(IntPtr encoder);
    [DllImport(Library)] public static extern int linnet_encoder_next(IntPtr encoder, out Unit unit);
    [DllImport(Library)] public static extern int linnet_writer_create(uint format, IntPtr bytes, UIntPtr size, uint delay, out IntPtr writer);
    [DllImport(Library)] public static extern int linnet_writer_append(IntPtr writer, ref Unit unit);
    [DllImport(Library)] public static extern int linnet_writer_bytes(IntPtr writer, out IntPtr bytes, out UIntPtr size);
    [DllImport(Library)] public static extern void linnet_writer_destroy(IntPtr writer);

    /// <summary>Throws an error code as an exception with the library's description.</summary>
    public static void Check(int code) {
        if (code != 0) throw new InvalidOperationException(Marshal.PtrToStringAnsi(linnet_error_text(code)));
    }
}

static class Encode {
    /// <summary>Passes all completed access units to the writer.</summary>
    static void Drain(IntPtr encoder, IntPtr writer) {
        for (;;) {
            Linnet.Unit unit;
            Linnet.Check(Linnet.linnet_encoder_next(encoder, out unit));
            if (unit.Size == UIntPtr.Zero) return;
            Linnet.Check(Linnet.linnet_writer_append(writer, ref unit));
        }
    }

    /// <summary>Encodes interleaved samples in native byte order to ADTS.</summary>
    static byte[] ToADTS(uint rate, uint channels, uint bitRate, byte[] samples) {
        Linnet.Settings settings;
        Linnet.Check(Linnet.linnet_encoder_settings_init_sized(out settings, (uint)Marshal.SizeOf(typeof(Linnet.Settings)), rate, channels));
        settings.BitRate = bitRate;
        IntPtr encoder = IntPtr.Zero, writer = IntPtr.Zero, bytes;
        UIntPtr size, taken;
        var pinned = GCHandle.Alloc(samples, GCHandleType.Pinned);
        try {
            Linnet.Check(Linnet.linnet_encoder_create(ref settings, out encoder));
            Linnet.Check(Linnet.linnet_encoder_configuration(encoder, out bytes, out size));
            Linnet.Check(Linnet.linnet_writer_create(Linnet.ADTS, bytes, size, 0, out writer));
            int frame = 2 * (int)channels;
            for (int done = 0; samples.Length - done >= frame; done += (int)taken * frame) {
                var frames = (UIntPtr)(uint)((samples.Length - done) / frame);
                Linnet.Check(Linnet.linnet_encoder_write_int16(encoder, pinned.AddrOfPinnedObject() + done, frames, out taken));
                Drain(encoder, writer);
            }
            Linnet.Check(Linnet.linnet_encoder_finish(encoder));
            Drain(encoder, writer);
            Linnet.Check(Linnet.linnet_writer_bytes(writer, out bytes, out size));
            var result = new byte[(int)size];
            Marshal.Copy(bytes, result, 0, result.Length);
            return result;
        } finally {
            pinned.Free();
            Linnet.linnet_writer_destroy(writer);
            Linnet.linnet_encoder_destroy(encoder);
        }
    }

    static int Main(string[] arguments) {
        if (arguments.Length != 5) {
            Console.Error.WriteLine("usage: encode.exe RATE CHANNELS BIT-RATE INPUT OUTPUT");
            return 2;
        }
        var bytes = ToADTS(uint.Parse(arguments[0]), uint.Parse(arguments[1]), uint.Parse(arguments[2]), File.ReadAllBytes(arguments[3]));
        File.WriteAllBytes(arguments[4], bytes);
        return 0;
    }
}
